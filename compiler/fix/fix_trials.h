#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/edit/fixer.h"
#include "compiler/project/project.h"
#include "compiler/project/reread.h"

namespace gpulint {

/// What got worse in a trial of fixes.
struct Regression {
  std::string text;  ///< Empty if nothing got worse.
  /// Indexes of the fixes in the documents that got worse; empty if it was another document.
  std::vector<std::size_t> culprits;
};

/// A document: its file and its index in the file. Embedded documents count as their host.
using DocumentPlace = std::pair<FileId, std::uint32_t>;

/// Paths of the files with objects that the API server rejects. Kubernetes does not use these
/// objects today, so new errors in these files do not count against a fix.
[[nodiscard]] std::set<std::string> refused_files(const Project& project, const Scope& scope);

/// The documents that a plan edits.
class EditedDocuments {
 public:
  EditedDocuments(const Project& project, const FixPlan& plan);

  [[nodiscard]] const std::set<DocumentPlace>& places() const { return places_; }
  /// The document of a span; nullopt in gpulint.yaml and files of tasks.
  [[nodiscard]] std::optional<DocumentPlace> find(Span span) const;
  /// The same for text that was read again.
  [[nodiscard]] std::optional<DocumentPlace> find(Span span, const Rereading& reading) const;

  /// Indexes of the fixes in the `spoilt` documents; empty if one of these is not edited.
  [[nodiscard]] std::vector<std::size_t> culprits(
      const std::set<std::optional<DocumentPlace>>& spoilt,
      const std::vector<Diagnostic>& fixes) const;

 private:
  const Project& project_;
  std::set<DocumentPlace> places_;
};

/// Tries fixes of one scope. First all together: few make anything worse, and a pod may need
/// several. If that fails, the fixes in documents that got worse and the others separately, then in
/// halves. The number of trials is limited, because each one reads the scope again.
class FixTrials {
 public:
  struct Budget {
    int usual;
    int of_large_scopes;
  };
  enum class Verdict { passed, failed, untried };

  /// Applies the plan of these findings' fixes to a copy, and returns what got worse.
  using RunTrial = std::function<Regression(const FixPlan&, const std::vector<Diagnostic>&)>;
  /// Called once for each finding, by its index. `harm`: what got worse in the trial of its fix
  /// alone.
  using OnResult = std::function<void(std::size_t finding, Verdict, const std::string& harm)>;

  FixTrials(const Scope& scope, Budget budget, RunTrial attempt, OnResult hear);

  /// Tries the fixes of `findings` at the indexes `claimed`. Calls share one budget.
  void run(const std::vector<Diagnostic>& findings, std::span<const std::size_t> claimed);

 private:
  /// Tries smaller sets after a failed trial.
  void divide(const std::vector<Diagnostic>& findings, std::span<const std::size_t> claimed,
              const std::vector<std::size_t>& culprits);

  int left_;
  RunTrial attempt_;
  OnResult hear_;
};

}  // namespace gpulint
