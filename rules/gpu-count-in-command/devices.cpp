#include "rules/gpu-count-in-command/devices.h"

#include <algorithm>

#include "compiler/ir/read.h"
#include "rules/gpu-count-in-command/declared_counts.h"

namespace gpulint::rules::gpu_count_in_command {
namespace {

/// NVIDIA/k8s-dra-driver-gpu v25.3, deviceclass-gpu.yaml: whole GPUs.
constexpr std::string_view whole_gpus = "gpu.nvidia.com";

/// Of one request; nullopt where alternatives or the nodes decide.
[[nodiscard]] std::optional<std::int64_t> count_of(Node request) {
  const Node exactly = request.get("exactly");
  const Node at = exactly ? exactly : request;
  if (!read_string(at, "deviceClassName").equals(std::string(whole_gpus))) return std::nullopt;
  if (request.get("firstAvailable") || at.get("adminAccess")) return std::nullopt;
  const Field<std::string> mode = read_string(at, "allocationMode");
  if (!mode.is_absent() && !mode.equals("ExactCount")) return std::nullopt;
  const Field<std::int64_t> count = read_int(at, "count");
  if (!count.is_absent() && !count.is_known()) return std::nullopt;
  return count.value_or(1);
}

[[nodiscard]] std::optional<GivenDevices> devices_of_claim(Node use,
                                                           const KubernetesObject& object) {
  const Node spec = object.node.get("spec");
  const Node inner = object.kind.equals("ResourceClaimTemplate") ? spec.get("spec") : spec;
  const Field<std::string> wanted = read_string(use, "request");
  if (!wanted.is_absent() && !wanted.is_known()) return std::nullopt;
  GivenDevices found{0, 0, "devices of its claim", {}};
  for (const Node request : inner.at("devices", "requests").items()) {
    if (wanted.is_known() && !read_string(request, "name").equals(wanted.value())) continue;
    const auto count = count_of(request);
    if (!count) return std::nullopt;
    found.amount += *count;
    found.most = found.amount;
    const Node exactly = request.get("exactly");
    const Node written = (exactly ? exactly : request).get("count");
    if (!found.node) found.node = written ? written : request.get("name");
  }
  return found.node ? std::optional(found) : std::nullopt;
}

[[nodiscard]] const KubernetesObject* find_object(const PodSpec& pod, std::string_view name,
                                                  const ClaimIndex& claims) {
  for (const Node source : pod.node.get("resourceClaims").items()) {
    if (read_string(source, "name").equals(std::string(name))) return claims.find_source(source);
  }
  return nullptr;
}

}  // namespace

std::optional<GivenDevices> given_devices(const Container& container, const PodSpec& pod,
                                          const ClaimIndex& claims) {
  const ResourceRequirements& resources = container.resources;
  if (resources.claims.empty()) {
    const ResourceEntry* const limit = find_devices(container);
    if (limit == nullptr) return std::nullopt;
    return GivenDevices{limit->amount.value().value(), most_processes(*limit, pod),
                        "`" + limit->name.value + "`", limit->name.node};
  }
  const auto is_device = [](const ResourceEntry& entry) {
    return entry.name.value.find('/') != std::string::npos;
  };
  const bool is_mixed = std::ranges::any_of(resources.limits, is_device);
  if (resources.opaque || is_mixed || resources.claims.size() != 1) return std::nullopt;
  const std::vector<Node> uses = resources.node.get("claims").items();
  const KubernetesObject* const object = find_object(pod, resources.claims.front().value, claims);
  if (object == nullptr || uses.size() != 1) return std::nullopt;
  return devices_of_claim(uses.front(), *object);
}

}  // namespace gpulint::rules::gpu_count_in_command
