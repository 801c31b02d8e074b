#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/edit/fixer.h"
#include "compiler/fix/trial_ground.h"
#include "compiler/ir/document.h"
#include "compiler/project/project.h"
#include "compiler/project/reread.h"

namespace gpulint {

/// What got worse in a trial of fixes.
struct Regression {
  struct Cause {
    std::size_t fix;   ///< Its index in the trial.
    std::string text;  ///< What got worse in a document that it edits.
    bool is_certain;   ///< No other fix edits this document.
  };
  std::string text;  ///< Empty if nothing got worse.
  /// The fixes in the documents that got worse, by index; empty if it was another document.
  std::vector<Cause> causes;
};

/// A document: its file and its index in the file. Embedded documents count as their host.
using DocumentPlace = std::pair<FileId, std::uint32_t>;

/// The outermost document around a place in its file; null if there is none.
[[nodiscard]] const Document* find_document(const std::vector<std::unique_ptr<Document>>& documents,
                                            Span span);

/// Fixes, applied to a copy of their scope.
class Trial {
 public:
  Trial(const Project& project, std::vector<Diagnostic> wanted);

  /// The ground after the fixes.
  const Rereading& apply_to(const TrialGround& ground);
  /// Of apply_to().
  [[nodiscard]] const Rereading& reading() const { return *reading_; }

  /// Counts a flaw of this kind in the document of the span, before or after the fixes. `by` -1:
  /// one flaw less.
  void spoil(Span span, std::string_view kind, const std::string& text, int by = 1);

  /// `text` with the fixes in the spoilt documents.
  [[nodiscard]] Regression outcome(std::string text) const;

  /// Of the copy or of the original; null in gpulint.yaml and files of tasks.
  [[nodiscard]] const Document* document_at(Span span) const;

  const std::vector<Diagnostic> fixes;
  const FixPlan plan;

 private:
  /// nullopt in gpulint.yaml and files of tasks.
  [[nodiscard]] std::optional<DocumentPlace> find(Span span) const;

  const Project& project_;
  std::set<DocumentPlace> edited_;
  std::unique_ptr<Rereading> reading_;
  std::map<std::pair<std::optional<DocumentPlace>, std::string_view>, int> excess_;
  std::map<std::optional<DocumentPlace>, std::string> texts_;
};

/// Tries fixes of one scope. First all together: few make anything worse, and a pod may need
/// several. If that fails, the fixes in documents that got worse and the others separately, then in
/// halves. In a large scope, fixes of separate workloads are first tried on these workloads alone;
/// one trial in the whole scope confirms those that pass.
class FixTrials {
 public:
  enum class Verdict : std::uint8_t { passed, failed, untried };
  using FindHarm = std::function<Regression(Trial&, const TrialGround&)>;
  /// Called once for each finding. `harm`: what got worse in the trial of its fix alone.
  using OnResult = std::function<void(Diagnostic& finding, Verdict, const std::string& harm)>;

  /// `most`: how many trials in a small scope.
  FixTrials(const Project& project, std::vector<Diagnostic>& findings, const TrialGround& ground,
            std::size_t most, FindHarm find_harm, OnResult on_result);

  /// `candidates`: indexes of findings. The limit holds for all calls together.
  void run(std::span<const std::size_t> candidates);

 private:
  using Tell = std::function<void(std::size_t, Verdict, const std::string&)>;

  void try_set(std::span<const std::size_t> candidates, const Tell& tell);
  [[nodiscard]] Regression harm_of(Trial& trial);
  /// Tries smaller sets after a failed trial.
  void divide(std::span<const std::size_t> candidates, const std::vector<Regression::Cause>& causes,
              const Tell& tell);

  const Project& project_;
  std::vector<Diagnostic>& findings_;
  const TrialGround& ground_;
  bool is_large_;
  std::size_t left_;  ///< Objects that trials may still read.
  bool in_parts_ = false;
  FindHarm find_harm_;
  OnResult on_result_;
};

}  // namespace gpulint
