#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/workload.h"

namespace gpulint::rules::gpu_visible_devices_bypass {

/// Reports variables of the container that make GPUs visible which it was not allocated.
void check_container(Reporter& reporter, const PodSpec& pod, const Container& container);

}  // namespace gpulint::rules::gpu_visible_devices_bypass
