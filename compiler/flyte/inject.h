#pragma once

#include <string>
#include <vector>

#include "compiler/flyte/compiled_pod.h"
#include "compiler/flyte/flyte_config.h"
#include "compiler/flyte/resources.h"
#include "compiler/flyte/task.h"
#include "compiler/model/workload.h"

namespace gpulint::flyte {

/// Compiles the pod. `config` must have loaded; `platform` has flyteadmin's limits (Flyte 1).
[[nodiscard]] CompiledPod compile_task(const FlyteConfig& config, const PlatformResources& platform,
                                       const Task& task);

}  // namespace gpulint::flyte
