#pragma once

#include <cstdint>
#include <string>

#include "compiler/flyte/resources.h"
#include "compiler/flyte/task.h"

namespace gpulint::flyte {

/// flyteadmin's answer to a task's resources (Flyte 1; Flyte 2 has no such checks).
struct AdminVerdict {
  enum class Problem : std::uint8_t {
    fraction,   ///< Of a GPU.
    unequal,    ///< A GPU request that is not the limit.
    own_limit,  ///< A request above the task's own limit.
    platform    ///< More than the platform's limit.
  };
  std::string error;     ///< Why the task is rejected at registration; empty if it is accepted.
  std::string resource;  ///< The resource that the error is about.
  Node node;             ///< The amount that causes the error.
  Node limit_node;       ///< The platform limit that is exceeded; null if none is.
  Problem problem = Problem::fraction;  ///< The kind of error.
};

/// TaskManager.CreateTask's validation of a task's resources.
[[nodiscard]] AdminVerdict validate_at_registration(const Task& task, const Resources& asked,
                                                    const PlatformResources& platform);

/// ExecutionManager.setCompiledTaskDefaults: the resulting resources of a container task, under the
/// names that tasks use.
[[nodiscard]] Resources apply_admin_defaults(const Resources& asked,
                                             const PlatformResources& platform);

}  // namespace gpulint::flyte
