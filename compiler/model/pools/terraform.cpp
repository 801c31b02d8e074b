#include "compiler/model/pools/terraform.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/ir/read.h"
#include "compiler/model/pools/aks_pools.h"
#include "compiler/model/pools/kubelet.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/model/pools/provider_knowledge.h"
#include "compiler/model/pools/read_node.h"
#include "compiler/model/pools/taint_spec.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

/// Limit of nested modules.
constexpr int max_module_depth = 16;

void collect_resources(Node module, int depth, std::vector<Node>& resources) {
  if (depth > max_module_depth) return;
  for (const Node resource : module.get("resources").items()) resources.push_back(resource);
  for (const Node child : module.get("child_modules").items()) {
    collect_resources(child, depth + 1, resources);
  }
}

/// A pool with the labels and taints that the plan knows.
[[nodiscard]] NodePool start(Node values, std::string_view name_key) {
  NodePool pool;
  pool.source = NodePool::Source::terraform;
  pool.name = read_string(values, name_key).value_or("");
  pool.node = values;
  return pool;
}

void take_taints(Node list, NodePool& pool) {
  for (Taint& taint : read_taints(list)) {
    taint.effect = normalized_effect(taint.effect);
    pool.taints.push_back(std::move(taint));
  }
  pool.taints_complete = true;
}

[[nodiscard]] NodePool read_google_pool(Node values) {
  NodePool pool = start(values, "name");
  const Node config = terraform_block(values, "node_config");
  pool.labels = read_pool_labels(config.get("labels"));
  take_taints(config.get("taint"), pool);
  add_machine_type(pool, config.get("machine_type"));
  const Node accelerator = terraform_block(config, "guest_accelerator");
  add_gke_knowledge(pool, {.accelerator = read_string(accelerator, "type"),
                           .count = read_int(accelerator, "count"),
                           .partition_size = read_string(accelerator, "gpu_partition_size"),
                           .is_spot = read_bool(config, "spot").equals(true)});
  return pool;
}

/// User data of launch templates, by each name that a node group may use.
using LaunchTemplates = std::map<std::string, Node>;

void take_user_data(Node scalar, NodePool& pool) {
  const Field<std::string> text = read_string(scalar);
  if (!text.is_known()) {
    pool.taints_complete = text.is_absent();
    return;
  }
  const KubeletFlags flags = find_kubelet_flags(text.value());
  for (PoolLabel& label : parse_node_labels(flags.node_labels, scalar).labels) {
    set_label(pool, std::move(label));
  }
  RegisteredTaints taints = parse_register_with_taints(flags.register_with_taints, scalar);
  pool.kubelet_error = std::move(taints.error);
  for (Taint& taint : taints.taints) pool.taints.push_back(std::move(taint));
}

[[nodiscard]] NodePool read_eks_group(Node values, const LaunchTemplates& templates) {
  NodePool pool = start(values, "node_group_name");
  pool.labels = read_pool_labels(values.get("labels"));
  take_taints(values.get("taint"), pool);
  add_machine_types(pool, values.get("instance_types"));
  const Node launch = terraform_block(values, "launch_template");
  for (const std::string_view key : {"id", "name"}) {
    const auto found = templates.find(read_string(launch, key).value_or(""));
    if (found == templates.end()) continue;
    take_user_data(found->second, pool);
    break;
  }
  add_eks_knowledge(pool, read_string(values, "capacity_type").equals("SPOT")
                              ? EksCapacity::spot
                              : EksCapacity::on_demand);
  add_gpu_knowledge(pool);
  return pool;
}

[[nodiscard]] NodePool read_azurerm_pool(Node values) {
  constexpr AksFields fields{
      .labels = "node_labels", .taints = "node_taints", .size = "vm_size", .priority = "priority"};
  return read_aks_pool(read_string(values, "name").value_or(""), values, fields,
                       NodePool::Source::terraform);
}

constexpr AutoProvisioningFields terraform_auto_provisioning{
    "enable_autopilot", "cluster_autoscaling", "resource_limits", "resource_type"};

void read_google_cluster(Node values, std::vector<NodePool>& pools) {
  std::ranges::move(
      read_auto_provisioning(values, NodePool::Source::terraform, terraform_auto_provisioning),
      std::back_inserter(pools));
  for (const Node inner : values.get("node_pool").items()) {
    if (inner.is_mapping()) pools.push_back(read_google_pool(inner));
  }
}

void read_resource(std::string_view type, Node values, const LaunchTemplates& templates,
                   std::vector<NodePool>& pools) {
  if (type == "google_container_node_pool") {
    pools.push_back(read_google_pool(values));
  } else if (type == "google_container_cluster") {
    read_google_cluster(values, pools);
  } else if (type == "aws_eks_node_group") {
    pools.push_back(read_eks_group(values, templates));
  } else if (type == "azurerm_kubernetes_cluster_node_pool") {
    pools.push_back(read_azurerm_pool(values));
  } else if (type == "azurerm_kubernetes_cluster") {
    const Node inner = terraform_block(values, "default_node_pool");
    if (inner.is_mapping()) pools.push_back(read_azurerm_pool(inner));
  }
}

constexpr std::string_view accelerator_label = "cloud.google.com/gke-accelerator";

constexpr std::string_view nvidia_resource = "nvidia.com/gpu";

[[nodiscard]] NodePool start(std::string name, Node node, NodePool::Source source) {
  NodePool pool;
  pool.source = source;
  pool.name = std::move(name);
  pool.node = node;
  return pool;
}

/// The GPU types among the limits, and the place of the first. If some limit is unknown, it may be
/// any type.
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

Node terraform_block(Node values, std::string_view name) {
  const Node written = values.get(name);
  if (written.is_mapping()) return written;
  const std::vector<Node> items = written.items();
  return items.empty() ? Node{} : items.front();
}

bool is_terraform(Node root) {
  return root.get("format_version").is_scalar() &&
         (root.get("terraform_version").is_scalar() ||
          root.at("planned_values", "root_module").is_mapping() ||
          root.at("values", "root_module").is_mapping());
}

std::vector<NodePool> read_terraform(Node root) {
  const Node planned = root.get("planned_values");
  const Node values = planned ? planned : root.get("values");
  std::vector<Node> resources;
  collect_resources(values.get("root_module"), 0, resources);
  LaunchTemplates templates;
  for (const Node resource : resources) {
    if (!read_string(resource, "type").equals("aws_launch_template")) continue;
    const Node body = resource.get("values");
    for (const std::string_view key : {"id", "name"}) {
      const Field<std::string> name = read_string(body, key);
      if (name.is_known()) templates.try_emplace(name.value(), body.get("user_data"));
    }
  }
  std::vector<NodePool> pools;
  for (const Node resource : resources) {
    const std::string type = read_string(resource, "type").value_or("");
    read_resource(type, resource.get("values"), templates, pools);
  }
  return pools;
}

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
