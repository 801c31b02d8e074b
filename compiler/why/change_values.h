#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/why/change_steps.h"
#include "compiler/why/story.h"
#include "compiler/why/subjects.h"

namespace gpulint {

/// The changes of one value in what declares a workload: for each label value, label key and
/// resource that some node lacks, the names that known nodes have in its place.
struct ValueSteps {
  std::vector<ChangeStep> steps;  ///< The likeliest first.
  bool is_complete = true;        ///< False where there are more than are worth trying.
};

[[nodiscard]] ValueSteps value_steps(const WhySubject& subject,
                                     const std::vector<why::Group>& groups,
                                     const SourceSet& sources);

}  // namespace gpulint
