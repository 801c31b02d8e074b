#pragma once

#include <string>

#include "compiler/model/workload.h"
#include "compiler/schedule/api/api_problem.h"
#include "compiler/schedule/api/validate_pod.h"

namespace gpulint {

/// Containers of every kind, and the volumes that they mount.
void validate_containers(const PodSpec& pod, const std::string& path, const PodContext& context,
                         ApiReport& report);

}  // namespace gpulint
