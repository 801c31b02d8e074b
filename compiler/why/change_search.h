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

/// Looks for the smallest change of a project's files after which a workload fits: among the fixes
/// of findings, tolerations of the taints that are in the way, and the lines that `generate` would
/// write. Each is tried by reading and placing everything again, and none is taken with which
/// another workload would lose its place.
class ChangeSearch {
 public:
  /// `wanted`: how many workloads it is for. `described`: the inputs that are texts of `kubectl
  /// describe pod`. All must outlive it.
  ChangeSearch(const Project& project, const Placements& placed, const Request& request,
               const LoadProject& load, std::size_t wanted,
               const std::vector<std::string>& described = {});

  /// nullopt where none is found, or nothing more may be tried.
  [[nodiscard]] std::optional<why::Change> find(const WhySubject& subject, const why::Story& story);

  /// Whether a change is of a text that describes the pod, so that no file can be edited.
  [[nodiscard]] bool is_of_description(const why::Change& change) const;

  /// Whether some search ended for want of trials: reading large inputs again takes its time.
  [[nodiscard]] bool is_cut_short() const { return is_cut_short_; }
  /// Whether the last one did.
  [[nodiscard]] bool is_last_cut_short() const { return is_last_cut_short_; }

 private:
  using Steps = std::vector<ChangeStep>;
  using Texts = std::map<std::string, std::string>;
  /// How the workloads of `keys_` fit under a change, in their order; empty: another one loses its
  /// place. What is tried for one workload is known for all.
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
  Overlay given_;                    ///< Standard input, and the pods that texts describe.
  std::set<std::string> described_;  ///< Paths of these texts.
  std::string standard_input_path_;  ///< Empty: it is no input.
  std::map<const Scope*, std::vector<Diagnostic>> findings_;
  std::map<const flyte::Installation*, Steps> generated_;  ///< Alike for all tasks of a release.
  std::map<std::string, std::size_t> keys_;                ///< Of all workloads, numbered.
  std::vector<bool> fitting_;  ///< Which of these fit before any change.
  std::map<std::map<FileId, std::vector<Edit>>, Outcome> tried_;
  Ternary present_ = Ternary::no;  ///< How the workload fits that is searched for.
  std::size_t trials_left_;
  std::size_t trials_for_fixes_ = 0;
  bool is_cut_short_ = false;
  bool is_last_cut_short_ = false;
};

}  // namespace gpulint
