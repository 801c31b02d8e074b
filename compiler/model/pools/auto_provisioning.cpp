#include "compiler/model/pools/auto_provisioning.h"

#include <string>
#include <utility>

#include "compiler/ir/read.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/model/pools/terraform.h"

namespace gpulint {
namespace {

constexpr std::string_view accelerator_label = "cloud.google.com/gke-accelerator";
constexpr std::string_view nvidia_resource = "nvidia.com/gpu";

[[nodiscard]] NodePool start(std::string name, Node node, NodePool::Source source) {
  NodePool pool;
  pool.source = source;
  pool.name = std::move(name);
  pool.node = node;
  return pool;
}

/// The types of GPUs among the limits, and where the first stands. Of limits that are not all known
/// any may be meant.
struct GpuTypes {
  std::vector<std::string> names;
  Node node;
  bool is_open = false;
};

[[nodiscard]] GpuTypes gpu_types(Node limits, std::string_view field) {
  GpuTypes types;
  types.is_open = limits && !limits.is_sequence() && !limits.is_null();
  for (const Node limit : limits.items()) {
    const Field<std::string> type = read_string(limit, field);
    types.is_open = types.is_open || !type.is_known();
    const std::string name = type.value_or("");
    if (name.empty() || name == "cpu" || name == "memory") continue;
    if (types.names.empty()) types.node = type.node();
    types.names.push_back(name);
  }
  return types;
}

}  // namespace

std::vector<NodePool> read_auto_provisioning(Node cluster, NodePool::Source source,
                                             const AutoProvisioningFields& fields) {
  const Node scaling = terraform_block(cluster, fields.autoscaling);
  const bool is_autopilot = read_bool(cluster, fields.autopilot).equals(true);
  if (is_autopilot || !read_bool(scaling, "enabled").equals(true)) return {};
  const Node enabled = scaling.get("enabled");
  std::vector<NodePool> pools{start("auto-provisioned", enabled, source)};
  const GpuTypes types = gpu_types(scaling.get(fields.limits), fields.limit_type);
  if (types.is_open) return pools;
  NodePool& plain = pools.front();
  set_label(plain, std::string(accelerator_label), PoolLabel::Known::absent, {}, enabled);
  plain.allocatable.push_back(
      {{std::string(nvidia_resource), {}}, Field<Quantity>::known(Quantity::of(0), enabled)});
  if (types.names.empty()) return pools;
  NodePool with_gpus = start("auto-provisioned GPUs", types.node, source);
  set_label(with_gpus, std::string(accelerator_label), PoolLabel::Known::one_of, types.names,
            types.node);
  with_gpus.provider_resources.push_back(
      {{std::string(nvidia_resource), {}}, Field<Quantity>::opaque(types.node)});
  pools.push_back(std::move(with_gpus));
  return pools;
}

}  // namespace gpulint
