#include "compiler/model/pools/cloud_pools.h"

#include <string>
#include <string_view>
#include <utility>

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

/// A list of `{key, value, effect}` whose effects are written in the cloud's way.
void take_taints(Node list, NodePool& pool) {
  for (Taint& taint : read_taints(list)) {
    taint.effect = normalized_effect(taint.effect);
    pool.taints.push_back(std::move(taint));
  }
  pool.taints_complete = !(list.is_scalar() && list.is_opaque());
}

[[nodiscard]] NodePool read_container_pool(const KubernetesObject& object) {
  NodePool pool = start(object, NodePool::Source::config_connector);
  const Field<std::string> id = read_string(object.node.get("spec"), "resourceID");
  if (id.is_known()) pool.name = id.value();
  const Node config = object.node.at("spec", "nodeConfig");
  take_labels(config.get("labels"), pool);
  take_taints(config.get("taint"), pool);
  add_machine_type(pool, config.get("machineType"));
  const std::vector<Node> accelerators = config.get("guestAccelerator").items();
  const Node accelerator = accelerators.empty() ? Node{} : accelerators.front();
  add_gke_knowledge(pool, {.accelerator = read_string(accelerator, "type"),
                           .count = read_int(accelerator, "count"),
                           .partition_size = read_string(accelerator, "gpuPartitionSize"),
                           .is_spot = read_bool(config, "spot").equals(true)});
  return pool;
}

[[nodiscard]] NodePool read_aws_pool(const KubernetesObject& object) {
  NodePool pool = start(object, NodePool::Source::cluster_api);
  const Node spec = object.node.get("spec");
  const Field<std::string> name = read_string(spec, "eksNodegroupName");
  if (name.is_known()) pool.name = name.value();
  take_labels(spec.get("labels"), pool);
  take_taints(spec.get("taints"), pool);
  add_machine_type(pool, spec.get("instanceType"));
  add_eks_knowledge(pool, read_string(spec, "capacityType").equals("spot")
                              ? EksCapacity::spot
                              : EksCapacity::on_demand);
  add_gpu_knowledge(pool);
  return pool;
}

[[nodiscard]] NodePool read_azure_pool(const KubernetesObject& object) {
  NodePool pool = start(object, NodePool::Source::cluster_api);
  const Node spec = object.node.get("spec");
  const Field<std::string> name = read_string(spec, "name");
  if (name.is_known()) pool.name = name.value();
  take_labels(spec.get("nodeLabels"), pool);
  take_taints(spec.get("taints"), pool);
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
  take_taints(spec.get("kubernetesTaints"), pool);
  add_machine_type(pool, spec.get("machineType"));
  add_gke_knowledge(pool, {});
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
