#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus/corpus.h"

namespace gpulint::rules::gpu_visible_devices_bypass {

/// Reports containers with a limit of 0 and an image that makes all GPUs visible: the device plugin
/// sets `NVIDIA_VISIBLE_DEVICES` only where it allocates a device, so that the image's own `all`
/// holds under NVIDIA's runtime. Silent where the runtime is known to be another one (GKE, the
/// pod's RuntimeClass), and where no known node with accelerators takes the pod.
void check_zero_limits(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::gpu_visible_devices_bypass
