#include "compiler/model/pools/cloud_pools.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/ir/read.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/model/pools/provider_knowledge.h"
#include "compiler/model/pools/read_node.h"
#include "compiler/model/pools/taint_spec.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

[[nodiscard]] NodePool start(const KubernetesObject& object, NodePool::Source source) {
  NodePool pool;
  pool.source = source;
  pool.name = object_name(object.node);
  pool.node = object.node;
  return pool;
}

/// The provider gives nodes these labels and its own, nobody else any.
void take_labels(Node map, NodePool& pool) {
  pool.labels = read_pool_labels(map);
  pool.own_labels_complete = has_known_keys(map);
}

/// A name that the controller makes up is no label's value.
void forget_label(std::string_view key, NodePool& pool) {
  std::erase_if(pool.labels, [&](const PoolLabel& label) {
    return label.key == key && label.known == PoolLabel::Known::provider;
  });
}

/// A list of `{key, value, effect}` whose effects are written in the cloud's way.
using Effects = std::array<std::string_view, 3>;
/// terraform-provider-google, which Config Connector is made of: node_config.go.
constexpr Effects google_effects{"NO_SCHEDULE", "PREFER_NO_SCHEDULE", "NO_EXECUTE"};
/// The CRDs of cluster-api-provider-aws, -azure and -gcp.
constexpr Effects aws_effects{"no-schedule", "prefer-no-schedule", "no-execute"};
constexpr Effects plain_effects{"NoSchedule", "PreferNoSchedule", "NoExecute"};

void take_taints(Node list, const Effects& effects, NodePool& pool) {
  for (Taint& taint : read_taints(list)) {
    const bool is_wrong = taint.effect.is_known() && !is_listed(effects, taint.effect.value());
    if (is_wrong && pool.error.empty()) {
      pool.error = fmt::format("the effect `{}` is none of `{}`", taint.effect.value(),
                               fmt::join(effects, "`, `"));
    }
    taint.effect = normalized_effect(taint.effect);
    pool.taints.push_back(std::move(taint));
  }
  pool.taints_complete = !(list.is_scalar() && list.is_opaque());
}

/// A cluster declares the nodes of its default pool. They are of type e2-medium unless it says
/// otherwise (https://cloud.google.com/kubernetes-engine/docs/concepts/node-pools), without GPUs.
void make_default_pool(Node spec, NodePool& pool) {
  forget_label("cloud.google.com/gke-nodepool", pool);
  const Node config = spec.get("nodeConfig");
  const bool is_plain = !config || (config.is_mapping() && has_known_keys(config) &&
                                    !config.get("guestAccelerator") && !config.get("machineType"));
  const Field<bool> autopilot = read_bool(spec, "enableAutopilot");
  if (!is_plain || !(autopilot.is_absent() || autopilot.equals(false))) return;
  set_label(pool, "cloud.google.com/gke-accelerator", PoolLabel::Known::absent, {}, pool.node);
  pool.allocatable.push_back(
      {{"nvidia.com/gpu", {}}, Field<Quantity>::known(Quantity::of(0), pool.node)});
}

[[nodiscard]] NodePool read_container_pool(const KubernetesObject& object) {
  NodePool pool = start(object, NodePool::Source::config_connector);
  const Field<std::string> id = read_string(object.node.get("spec"), "resourceID");
  if (id.is_known()) pool.name = id.value();
  const Node config = object.node.at("spec", "nodeConfig");
  take_labels(config.get("labels"), pool);
  take_taints(config.get("taint"), google_effects, pool);
  add_machine_type(pool, config.get("machineType"));
  const std::vector<Node> accelerators = config.get("guestAccelerator").items();
  const Node accelerator = accelerators.empty() ? Node{} : accelerators.front();
  add_gke_knowledge(pool, {.accelerator = read_string(accelerator, "type"),
                           .count = read_int(accelerator, "count"),
                           .partition_size = read_string(accelerator, "gpuPartitionSize"),
                           .is_spot = read_bool(config, "spot").equals(true)});
  if (object.kind.equals("ContainerCluster")) make_default_pool(object.node.get("spec"), pool);
  return pool;
}

[[nodiscard]] NodePool read_aws_pool(const KubernetesObject& object) {
  NodePool pool = start(object, NodePool::Source::cluster_api);
  const Node spec = object.node.get("spec");
  const Field<std::string> name = read_string(spec, "eksNodegroupName");
  if (name.is_known()) pool.name = name.value();
  take_labels(spec.get("labels"), pool);
  take_taints(spec.get("taints"), aws_effects, pool);
  add_machine_type(pool, spec.get("instanceType"));
  add_eks_knowledge(pool, read_string(spec, "capacityType").equals("spot")
                              ? EksCapacity::spot
                              : EksCapacity::on_demand);
  if (!name.is_known()) forget_label("eks.amazonaws.com/nodegroup", pool);
  add_gpu_knowledge(pool);
  return pool;
}

[[nodiscard]] NodePool read_azure_pool(const KubernetesObject& object) {
  NodePool pool = start(object, NodePool::Source::cluster_api);
  const Node spec = object.node.get("spec");
  const Field<std::string> name = read_string(spec, "name");
  if (name.is_known()) pool.name = name.value();
  take_labels(spec.get("nodeLabels"), pool);
  take_taints(spec.get("taints"), plain_effects, pool);
  add_machine_type(pool, spec.get("sku"));
  add_aks_knowledge(pool, read_string(spec, "scaleSetPriority").equals("Spot")
                              ? AksPriority::spot
                              : AksPriority::regular);
  return pool;
}

[[nodiscard]] NodePool read_gcp_pool(const KubernetesObject& object) {
  NodePool pool = start(object, NodePool::Source::cluster_api);
  const Node spec = object.node.get("spec");
  const Field<std::string> name = read_string(spec, "nodePoolName");
  if (name.is_known()) pool.name = name.value();
  take_labels(spec.get("kubernetesLabels"), pool);
  take_taints(spec.get("kubernetesTaints"), plain_effects, pool);
  add_machine_type(pool, spec.get("machineType"));
  add_gke_knowledge(pool, {});
  if (!name.is_known()) forget_label("cloud.google.com/gke-nodepool", pool);
  return pool;
}

}  // namespace

std::optional<NodePool> read_cloud_pool(const KubernetesObject& object) {
  const std::string version = object.api_version.value_or("");
  const std::string kind = object.kind.value_or("");
  if (version.starts_with("container.cnrm.cloud.google.com/") &&
      (kind == "ContainerNodePool" || kind == "ContainerCluster")) {
    return read_container_pool(object);
  }
  if (!version.starts_with("infrastructure.cluster.x-k8s.io/")) return std::nullopt;
  if (kind == "AWSManagedMachinePool") return read_aws_pool(object);
  if (kind == "AzureManagedMachinePool") return read_azure_pool(object);
  if (kind == "GCPManagedMachinePool") return read_gcp_pool(object);
  return std::nullopt;
}

}  // namespace gpulint
