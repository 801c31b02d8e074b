#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/why/change_steps.h"
#include "compiler/why/story.h"
#include "compiler/why/subjects.h"

namespace gpulint {

/// Replacements of one value in a workload's manifest or task: for each label value, label key and
/// resource that nodes lack, the names that other nodes have instead.
struct ValueSteps {
  std::vector<ChangeStep> steps;  ///< Most likely first.
  bool is_complete = true;        ///< False if there were too many candidates.
};

[[nodiscard]] ValueSteps value_steps(const WhySubject& subject,
                                     const std::vector<why::Group>& groups,
                                     const SourceSet& sources);

}  // namespace gpulint
