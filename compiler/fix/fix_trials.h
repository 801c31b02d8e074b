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

/// What a trial of fixes has spoilt.
struct Regression {
  std::string text;  ///< Empty where nothing was.
  /// Indexes of the fixes that stand in the documents where it was; empty where it was elsewhere.
  std::vector<std::size_t> culprits;
};

/// A document of the project: its file and its index in there. Embedded ones count as their host.
using DocumentPlace = std::pair<FileId, std::uint32_t>;

/// Paths of the files with objects that the API server refuses: nobody reads these today, so that
/// errors in them count against no fix.
[[nodiscard]] std::set<std::string> refused_files(const Project& project, const Scope& scope);

/// The documents that a plan edits, before and after.
class EditedDocuments {
 public:
  EditedDocuments(const Project& project, const FixPlan& plan);

  [[nodiscard]] const std::set<DocumentPlace>& places() const { return places_; }
  /// Where a span of the project lies; nullopt in gpulint.yaml and files of tasks.
  [[nodiscard]] std::optional<DocumentPlace> find(Span span) const;
  /// The same of what was read again.
  [[nodiscard]] std::optional<DocumentPlace> find(Span span, const Rereading& reading) const;

  /// The fixes in `spoilt` documents; none where one of these is not edited.
  [[nodiscard]] std::vector<std::size_t> culprits(
      const std::set<std::optional<DocumentPlace>>& spoilt,
      const std::vector<Diagnostic>& fixes) const;

 private:
  const Project& project_;
  std::set<DocumentPlace> places_;
};

/// Tries fixes of one scope: all together, since few do harm and several may be needed for one pod;
/// where that fails, those that do none and those that stand where the harm was, then by halves. A
/// trial reads the scope again, so that there is a limit to them.
class FixTrials {
 public:
  struct Budget {
    int usual;
    int of_large_scopes;
  };
  enum class Verdict { passed, failed, untried };

  /// Carries the plan of these findings' fixes out on a copy; what is wrong with the result.
  using RunTrial = std::function<Regression(const FixPlan&, const std::vector<Diagnostic>&)>;
  /// Hears of each finding once, by its index; `harm` is what the trial of this one alone gave.
  using OnResult = std::function<void(std::size_t finding, Verdict, const std::string& harm)>;

  FixTrials(const Scope& scope, Budget budget, RunTrial attempt, OnResult hear);

  /// Tries the fixes of `findings` at the indexes of `claimed`. What was spent before is spent.
  void run(const std::vector<Diagnostic>& findings, std::span<const std::size_t> claimed);

 private:
  /// After a trial that failed.
  void divide(const std::vector<Diagnostic>& findings, std::span<const std::size_t> claimed,
              const std::vector<std::size_t>& culprits);

  int left_;
  RunTrial attempt_;
  OnResult hear_;
};

}  // namespace gpulint
