#include "rules/gpu-image-without-request/gpu_image.h"

#include <string>
#include <string_view>

#include "compiler/base/text.h"

namespace gpulint::rules::gpu_image_without_request {
namespace {

/// Images that come with NVIDIA's or AMD's libraries: `nvidia/cuda`, `…:2.4-cuda12`,
/// `rocm/pytorch`.
[[nodiscard]] bool is_gpu_image(std::string_view image) {
  const std::string folded = to_lower(image);
  return folded.find("cuda") != folded.npos || folded.find("/rocm") != folded.npos ||
         folded.starts_with("rocm/") || folded.ends_with("-gpu");
}

[[nodiscard]] bool runs_nvidia_smi(const Container& container) {
  bool found = false;
  for (const std::string_view key : {"command", "args"}) {
    for (const Node item : container.node.get(key).items()) {
      found = found || (item.is_scalar() && item.text().find("nvidia-smi") != std::string::npos);
    }
  }
  return found;
}

}  // namespace

bool is_made_for_gpus(const Container& container) {
  return is_gpu_image(container.image.value()) || runs_nvidia_smi(container);
}

}  // namespace gpulint::rules::gpu_image_without_request
