#include "compiler/schedule/mark_unknowns.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/facts/provider_catalog.h"
#include "compiler/model/pools/kubelet.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/schedule/karpenter.h"
#include "compiler/schedule/node_labels.h"
#include "compiler/schedule/pool_accelerators.h"
#include "compiler/schedule/pool_machines.h"
#include "compiler/schedule/virtual_resources.h"

namespace gpulint {
namespace {

using Known = PoolLabel::Known;
using Names = std::set<std::string, std::less<>>;

/// What the pods require of nodes.
struct Questions {
  Names labels;
  Names unwritten_labels;  ///< Labels that an operator selects by itself.
  Names resources;
};

[[nodiscard]] Questions ask(std::span<const PreparedPod> pods) {
  Questions questions;
  for (const PreparedPod& pod : pods) {
    for (const LabelEntry& entry : pod.spec->node_selector) {
      questions.labels.insert(entry.key.value);
      const bool is_written = entry.key.node.text() == entry.key.value;
      if (!is_written && entry.key.node.text() == "spec")
        questions.unwritten_labels.insert(entry.key.value);
    }
    for (const SelectorTerm& term : pod.spec->node_affinity.required) {
      for (const SelectorRequirement& requirement : term.expressions) {
        if (requirement.key.is_known()) questions.labels.insert(requirement.key.value());
      }
    }
    for (const PodRequest& request : pod.requests.resources) {
      questions.resources.insert(request.name);
    }
  }
  return questions;
}

[[nodiscard]] bool carries(const NodePool& pool, std::string_view key) {
  return find_label(pool, key) != nullptr;
}

[[nodiscard]] bool states(const NodePool& pool, std::string_view resource) {
  return find_entry(pool.allocatable, resource) != nullptr ||
         find_entry(pool.provider_resources, resource) != nullptr;
}

/// Labels that pods require, that no node has, and that the kubelet or an operator sets.
[[nodiscard]] std::vector<std::string_view> unknown_labels(const Cluster& cluster,
                                                           const Questions& questions) {
  std::vector<std::string_view> unknown;
  const auto add = [&](std::string_view key) {
    const auto is_carried = [&](const NodePool& pool) { return carries(pool, key); };
    if (std::ranges::none_of(cluster.pools, is_carried)) unknown.push_back(key);
  };
  for (const std::string_view key : kubelet_labels()) {
    if (questions.labels.contains(key)) add(key);
  }
  for (const std::string& key : questions.unwritten_labels) add(key);
  return unknown;
}

/// Whether the resource exists only on nodes that list it, because a device plugin offers it.
[[nodiscard]] bool is_stated_by_plugin(std::string_view resource) {
  const GpuResource::Kind kind = classify_resource(resource).kind;
  return kind == GpuResource::Kind::device || kind == GpuResource::Kind::mig;
}

/// Whether complete Nodes offer another resource of the same plugin: `rdma/ib` if `rdma/hca` is
/// requested, `devic.es/dri` if `squat.ai/dri` is. Not for accelerators: a scheduler may know
/// more of them than nodes.
[[nodiscard]] bool has_sibling(const Cluster& cluster, std::string_view resource) {
  const GpuResource::Kind kind = classify_resource(resource).kind;
  if (kind != GpuResource::Kind::none && kind != GpuResource::Kind::auxiliary) return false;
  const std::size_t slash = resource.find('/');
  const auto is_of_plugin = [&](const ResourceEntry& entry) {
    return entry.name.value.starts_with(resource.substr(0, slash + 1)) ||
           entry.name.value.ends_with(resource.substr(slash));
  };
  return std::ranges::all_of(cluster.pools,
                             [](const NodePool& pool) {
                               return pool.source == NodePool::Source::node &&
                                      pool.resources_complete;
                             }) &&
         std::ranges::any_of(cluster.pools, [&](const NodePool& pool) {
           return std::ranges::any_of(pool.allocatable, is_of_plugin);
         });
}

[[nodiscard]] std::vector<std::string> unknown_resources(const Cluster& cluster,
                                                         const Questions& questions,
                                                         const Names& virtual_resources) {
  std::vector<std::string> unknown;
  for (const std::string& name : questions.resources) {
    if (name.find('/') == std::string::npos) continue;
    const bool is_stated = std::ranges::any_of(
        cluster.pools, [&](const NodePool& pool) { return states(pool, name); });
    const bool is_certain = (is_stated_by_plugin(name) || has_sibling(cluster, name)) &&
                            !virtual_resources.contains(name) &&
                            !virtual_resources.contains(any_resource);
    if (!is_stated && !is_certain) unknown.push_back(name);
  }
  return unknown;
}

/// In a cluster of this provider, only users set a label that another cloud sets by itself
/// (`accelerator`, which AKS once set).
[[nodiscard]] bool is_set_by_users_only(std::string_view key, std::string_view provider) {
  static constexpr std::array<std::string_view, 3> clouds = {"gke", "eks", "aks"};
  const auto is_cloud = [](std::string_view name) {
    return std::ranges::find(clouds, name) != clouds.end();
  };
  const std::vector<const ProviderLabel*> setters = labels_with_key(key);
  return !setters.empty() && std::ranges::all_of(setters, [&](const ProviderLabel* label) {
    const bool is_foreign =
        is_cloud(provider) && is_cloud(label->provider) && label->provider != provider;
    return label->set_by == "user" || is_foreign;
  });
}

/// `cloud.google.com/gke-gpu-partition-size` for a pool that states `…/gke-accelerator`: a pool
/// that states its GPUs would also state how they are partitioned.
[[nodiscard]] bool is_stated_with_device(const NodePool& pool, std::string_view key) {
  for (const ProviderLabel* label : labels_with_key(key)) {
    if (label->role != "partition") continue;
    for (const ProviderLabel* device : labels_with_role(label->provider, "device")) {
      if (carries(pool, device->key)) return true;
    }
  }
  return false;
}

/// Whether nodes of the pool certainly lack a label that its declaration does not state.
[[nodiscard]] bool is_absent(const NodePool& pool, Provider provider, std::string_view key) {
  if (carries(pool, key)) return false;
  const std::string_view name = provider_name(provider);
  if (!name.empty() && name != "generic" && !can_carry(name, key)) return true;
  if (!pool.own_labels_complete) return false;
  return is_set_by_users_only(key, name) || is_stated_with_device(pool, key);
}

void add_label(NodePool& pool, std::string_view key, Known known) {
  pool.labels.push_back({std::string(key), known, {}, Node{}});
}

/// The number of pods that a node of a declared pool can run.
void state_pod_limit(NodePool& pool) {
  if (!pool.max_pods.is_known() || pool.max_pods.value() < 1 || states(pool, "pods")) return;
  pool.allocatable.push_back(
      {{"pods", pool.max_pods.node()},
       Field<Quantity>::known(Quantity::of(pool.max_pods.value()), pool.max_pods.node())});
}

/// Adds the resources and labels that pods require and that the pool's machines decide.
void complete_pool(NodePool& pool, Provider provider, const Questions& questions,
                   const Names& virtual_resources) {
  if (has_accelerators(pool) == Ternary::no) pool.resources_complete = true;
  state_pod_limit(pool);
  state_machine_offers(pool, questions.resources, virtual_resources.contains(shared_devices));
  state_machine_labels(pool, questions.labels);
  if (pool.labels_complete) return;
  for (const std::string& key : questions.labels) {
    if (is_absent(pool, provider, key)) add_label(pool, key, Known::absent);
  }
}

}  // namespace

Cluster mark_unknowns(const Cluster& cluster, std::span<const PreparedPod> pods,
                      const Names& virtual_resources) {
  const Questions questions = ask(pods);
  const std::vector<std::string_view> labels = unknown_labels(cluster, questions);
  const std::vector<std::string> resources =
      unknown_resources(cluster, questions, virtual_resources);
  Cluster marked = cluster;
  for (NodePool& pool : marked.pools) {
    complete_pool(pool, cluster.provider, questions, virtual_resources);
    for (const std::string_view key : labels) {
      if (!carries(pool, key)) add_label(pool, key, Known::provider);
    }
    pool.unknown_resources = resources;
  }
  return marked;
}

Ternary carries_label(const NodePool& pool, Provider provider, std::string_view key) {
  const Ternary stated = NodeLabels(pool).has(key);
  if (stated != Ternary::unknown || carries(pool, key)) return stated;
  if (is_absent(pool, provider, key)) return Ternary::no;
  if (pool.karpenter == nullptr) return stated;
  const KarpenterProvider known = pool.karpenter->provider;
  if (known == KarpenterProvider::other || is_karpenter_well_known(key, known)) return stated;
  return Ternary::no;  // Karpenter creates no node with a label that its pool does not define.
}

}  // namespace gpulint
