#pragma once

#include <deque>
#include <vector>

#include "compiler/flyte/inject.h"
#include "compiler/project/project.h"

namespace gpulint {

/// The pods of a project's tasks, in the order of scopes.
struct CompiledPods {
  std::vector<const flyte::CompiledPod*> all;  ///< Of the project, or of `own`.
  std::deque<flyte::CompiledPod> own;          ///< Those that the analysis of scopes has not made.
  /// The inputs describe an installation, even one without propeller, which makes no pods.
  bool has_installation = false;
  bool has_python_tasks = false;  ///< Some file is Python with tasks, read or not.
  bool are_defaults = false;  ///< Of `all`, some show Flyte's defaults: no input configures Flyte.
};

/// Every pod that Flyte would create. Documents may be Flyte's configuration although nothing in
/// them says so, where nothing else is. The project must outlive the result.
[[nodiscard]] CompiledPods compile_pods(const Project& project);

}  // namespace gpulint
