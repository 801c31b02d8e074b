#include "rules/gpu-visible-devices-bypass/container_checks.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/gpu_resource.h"
#include "rules/gpu-visible-devices-bypass/visible_devices.h"
#include "rules/support/queries.h"

namespace gpulint::rules::gpu_visible_devices_bypass {
namespace {

constexpr std::string_view nvidia_variable = "NVIDIA_VISIBLE_DEVICES";

/// How many whole NVIDIA GPUs the container is given; nullopt where that is open.
[[nodiscard]] std::optional<std::int64_t> count_gpus(const Container& container) {
  const ResourceEntry* request = find_gpu_request(container);
  if (request == nullptr || request->name.value != "nvidia.com/gpu") return std::nullopt;
  if (!request->amount.is_known() || !container.resources.claims.empty()) return std::nullopt;
  return request->amount.value().value();
}

/// Read by NVIDIA's container runtime: it makes these devices visible, whatever was allocated.
void check_nvidia(Reporter& reporter, const Container& container, const EnvVar& variable) {
  const std::string& value = variable.value.value();
  if (!makes_visible(value)) return;
  if (const ResourceEntry* request = find_gpu_request(container)) {
    if (!is_nvidia_device(request->name.value)) return;
    reporter
        .report(variable.name.node(), "`NVIDIA_VISIBLE_DEVICES: {}` overrides what {} is allocated",
                value, describe(container))
        .related(request->name.node, "the request")
        .help("leave it out: the device plugin sets it to the devices it allocates");
  } else if (!requests_gpu(container)) {
    reporter
        .report(variable.name.node(),
                "{} makes GPUs visible by `NVIDIA_VISIBLE_DEVICES: {}` without requesting one",
                describe(container), value)
        .help("request `nvidia.com/gpu`, or set `void`: the scheduler does not know of this use");
  }
}

/// Read by CUDA: it chooses among the devices that are visible already.
void check_cuda(Reporter& reporter, const PodSpec& pod, const Container& container,
                const EnvVar& variable) {
  const std::string& value = variable.value.value();
  const auto indices = read_indices(value);
  if (!indices) return;
  if (!may_request_gpu(pod)) {
    reporter
        .report(variable.name.node(),
                "{} chooses a GPU by `CUDA_VISIBLE_DEVICES: {}` without requesting one",
                describe(container), value)
        .help("request `nvidia.com/gpu`; within a container its GPUs count from 0");
    return;
  }
  const auto count = count_gpus(container);
  if (!count || std::ranges::max(*indices) < *count) return;
  const auto beyond = [&](std::int64_t index) { return index >= *count; };
  const auto seen = std::ranges::find_if(*indices, beyond) - indices->begin();
  reporter
      .report(variable.name.node(), "`CUDA_VISIBLE_DEVICES: {}` is beyond the {} that {} requests",
              value, *count == 1 ? "one GPU" : fmt::format("{} GPUs", *count), describe(container))
      .related(find_gpu_request(container)->name.node, "the request")
      .help(
          "CUDA counts them from 0, stops at the first index beyond and sees {} of them; leave it "
          "out to use all",
          seen == 0 ? "none" : std::to_string(seen))
      .severity(seen < *count ? Severity::warning : Severity::info);
}

}  // namespace

void check_container(Reporter& reporter, const PodSpec& pod, const Container& container) {
  if (container.resources.opaque) return;
  for (const EnvVar& variable : container.env) {
    if (!variable.name.is_known() || !variable.value.is_known()) continue;
    const std::string& name = variable.name.value();
    if (name == nvidia_variable) check_nvidia(reporter, container, variable);
    if (name == "CUDA_VISIBLE_DEVICES") check_cuda(reporter, pod, container, variable);
  }
}

}  // namespace gpulint::rules::gpu_visible_devices_bypass
