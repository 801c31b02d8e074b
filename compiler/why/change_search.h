#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/place/placements.h"
#include "compiler/project/project.h"
#include "compiler/project/request.h"
#include "compiler/why/change_steps.h"
#include "compiler/why/change_values.h"
#include "compiler/why/story.h"
#include "compiler/why/subjects.h"

namespace gpulint {

/// Searches for the smallest change of a project's files with which a workload fits: fixes of
/// findings, tolerations, the lines that `generate` would write, and values that nodes have. Tries
/// each by reading and placing everything again. Rejects changes with which another workload would
/// no longer fit.
class ChangeSearch {
 public:
  /// `wanted`: number of workloads to search for. `described`: inputs that are texts of `kubectl
  /// describe pod`. All arguments must outlive it.
  ChangeSearch(const Project& project, const Placements& placed, const Request& request,
               const LoadProject& load, std::size_t wanted,
               const std::vector<std::string>& described = {});

  /// nullopt if none is found, or if no trials are left.
  [[nodiscard]] std::optional<why::Change> find(const WhySubject& subject, const why::Story& story);

  /// Whether the change edits a text of `kubectl describe pod`: then no file can be edited.
  [[nodiscard]] bool is_of_description(const why::Change& change) const;

  /// Whether some search ran out of trials: with large inputs, fewer are allowed.
  [[nodiscard]] bool is_cut_short() const { return is_cut_short_; }
  /// Whether the last one did.
  [[nodiscard]] bool is_last_cut_short() const { return is_last_cut_short_; }

 private:
  using Steps = std::vector<ChangeStep>;
  using Texts = std::map<std::string, std::string>;
  /// The verdicts of the workloads of `keys_` with a change, in their order. Empty if another
  /// workload would no longer fit. Each change is tried once for all workloads.
  using Outcome = std::vector<Ternary>;

  [[nodiscard]] const std::vector<Diagnostic>& findings_of(const Scope& scope);
  [[nodiscard]] Steps fixes_for(const WhySubject& subject);
  [[nodiscard]] Steps tolerations_for(const WhySubject& subject, const why::Group& group) const;
  [[nodiscard]] Texts apply(const Steps& steps) const;
  [[nodiscard]] Ternary fits_with(const Steps& steps, const std::string& key);
  [[nodiscard]] Outcome try_texts(const Texts& texts);
  [[nodiscard]] std::optional<why::Change> try_steps(Steps steps, const std::string& key);
  [[nodiscard]] std::optional<why::Change> try_values(const Steps& others, const ValueSteps& values,
                                                      const std::string& key);
  [[nodiscard]] why::Change change_of(const Steps& steps, const Texts& texts, Ternary fits) const;

  const Project& project_;
  const Request& request_;
  const LoadProject& load_;
  Overlay given_;                    ///< Standard input, and described pods as manifests.
  std::set<std::string> described_;  ///< Paths of these texts.
  std::string standard_input_path_;  ///< Empty if not an input.
  std::map<const Scope*, std::vector<Diagnostic>> findings_;
  std::map<const flyte::Installation*, Steps> generated_;  ///< Equal for all tasks of a release.
  std::map<std::string, std::size_t> keys_;  ///< Keys of all workloads, with their numbers.
  std::vector<bool> fitting_;                ///< By number: whether it fits before any change.
  std::map<std::map<FileId, std::vector<Edit>>, Outcome> tried_;
  Ternary present_ = Ternary::no;  ///< Verdict of the searched workload before any change.
  std::size_t trials_left_;
  std::size_t trials_for_fixes_ = 0;
  bool is_cut_short_ = false;
  bool is_last_cut_short_ = false;
};

}  // namespace gpulint
