#include "compiler/model/pools/provider_knowledge.h"

#include <utility>

#include "compiler/model/facts/gpu_catalog.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/model/pools/taint_spec.h"

namespace gpulint {
namespace {

constexpr std::string_view nvidia_gpu = "nvidia.com/gpu";

/// A label that the provider adds, unless the pool declares it.
void add_label(NodePool& pool, std::string_view key, std::string value, Node node,
               PoolLabel::Known known = PoolLabel::Known::provider) {
  for (const PoolLabel& label : pool.labels) {
    if (label.key == key) return;
  }
  set_label(pool, std::string(key), known, {std::move(value)}, node);
}

/// Where the pool's name is written; else the pool itself.
[[nodiscard]] Node declared_name(const NodePool& pool) {
  for (const Node name : {pool.node.at("metadata", "name"), pool.node.get("name"),
                          pool.node.get("azureName"), pool.node.get("node_group_name")}) {
    if (name) return name;
  }
  return pool.node;
}

void add_taint(NodePool& pool, const TaintText& text) {
  for (const Taint& taint : pool.taints) {
    if (taint.key.equals(std::string(text.key)) && taint.effect.equals(std::string(text.effect))) {
      return;
    }
  }
  pool.provider_taints.push_back(make_taint(text, {}));
}

void offer(NodePool& pool, std::string_view resource, Field<Quantity> amount) {
  pool.provider_resources.push_back({{std::string(resource), {}}, std::move(amount)});
}

/// GPUs × instances of each, as GKE's device plugin counts them.
[[nodiscard]] Field<Quantity> gke_amount(const GkePool& facts) {
  if (facts.count.is_opaque() || facts.partition_size.is_opaque()) {
    return Field<Quantity>::opaque(facts.count.node());
  }
  std::int64_t amount = facts.count.value_or(1);
  for (const GkePartition& partition : gke_partitions()) {
    if (facts.partition_size.equals(std::string(partition.profile))) amount *= partition.max_count;
  }
  return Field<Quantity>::known(Quantity::of(amount), facts.count.node());
}

}  // namespace

void add_eks_knowledge(NodePool& pool, EksCapacity capacity) {
  add_label(pool, "eks.amazonaws.com/nodegroup", pool.name, declared_name(pool));
  add_label(pool, "eks.amazonaws.com/capacityType",
            capacity == EksCapacity::spot ? "SPOT" : "ON_DEMAND", pool.node);
}

void add_gke_knowledge(NodePool& pool, const GkePool& facts) {
  add_label(pool, "cloud.google.com/gke-nodepool", pool.name, declared_name(pool));
  if (facts.is_spot) {
    add_label(pool, "cloud.google.com/gke-spot", "true", pool.node);
    add_label(pool, "cloud.google.com/gke-provisioning", "spot", pool.node);
  }
  if (facts.accelerator.is_absent()) return;
  const Node node = facts.accelerator.node();
  if (facts.accelerator.is_known()) {
    // GKE writes the pool's values to its nodes
    add_label(pool, "cloud.google.com/gke-accelerator", facts.accelerator.value(), node,
              PoolLabel::Known::exact);
  }
  if (facts.count.is_known()) {
    add_label(pool, "cloud.google.com/gke-accelerator-count", std::to_string(facts.count.value()),
              facts.count.node());
  }
  if (facts.partition_size.is_known() && !facts.partition_size.value().empty()) {
    add_label(pool, "cloud.google.com/gke-gpu-partition-size", facts.partition_size.value(),
              facts.partition_size.node());
  }
  add_taint(pool, {nvidia_gpu, "present", "NoSchedule"});
  offer(pool, nvidia_gpu, gke_amount(facts));
}

void add_aks_knowledge(NodePool& pool, AksPriority priority) {
  add_label(pool, "kubernetes.azure.com/agentpool", pool.name, declared_name(pool));
  add_label(pool, "agentpool", pool.name, declared_name(pool));
  if (priority == AksPriority::regular) return;
  add_label(pool, "kubernetes.azure.com/scalesetpriority", "spot", pool.node);
  add_taint(pool, {"kubernetes.azure.com/scalesetpriority", "spot", "NoSchedule"});
}

void add_gpu_knowledge(NodePool& pool) {
  if (pool.gpu_products.empty()) return;
  offer(pool, nvidia_gpu, Field<Quantity>::opaque(pool.node));
}

}  // namespace gpulint
