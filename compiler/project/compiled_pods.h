#pragma once

#include <deque>
#include <vector>

#include "compiler/flyte/inject.h"
#include "compiler/project/project.h"

namespace gpulint {

/// The pods of a project's tasks, in the order of scopes.
struct CompiledPods {
  std::vector<const flyte::CompiledPod*> all;  ///< Point into the project or into `own`.
  std::deque<flyte::CompiledPod> own;          ///< Pods that the scopes do not have.
  /// The inputs describe an installation, even one without propeller, which creates no pods.
  bool has_installation = false;
  bool has_python_tasks = false;  ///< Some file is Python with tasks, even if none was readable.
  bool are_defaults = false;  ///< Some of `all` use Flyte's defaults: no input configures Flyte.
};

/// Every pod that Flyte would create. If no document is recognized as Flyte's configuration, others
/// are tried as such. The project must outlive the result.
[[nodiscard]] CompiledPods compile_pods(const Project& project);

}  // namespace gpulint
