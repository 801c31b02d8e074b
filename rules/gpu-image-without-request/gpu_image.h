#pragma once

#include "compiler/model/workload.h"

namespace gpulint::rules::gpu_image_without_request {

/// Whether a container with a known image has NVIDIA's or AMD's libraries (`nvidia/cuda`,
/// `…:2.4-cuda12`, `rocm/pytorch`) or calls `nvidia-smi`.
[[nodiscard]] bool is_made_for_gpus(const Container& container);

}  // namespace gpulint::rules::gpu_image_without_request
