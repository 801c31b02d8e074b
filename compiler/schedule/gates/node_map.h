#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compiler/schedule/known_nodes.h"
#include "compiler/schedule/named_nodes.h"
#include "compiler/schedule/node_labels.h"
#include "compiler/schedule/node_selection.h"

namespace gpulint {

/// Indices into Cluster::pools.
using Pools = std::vector<std::size_t>;

/// Where the nodes of a scope are: their labels, by pool. The nodes must outlive it.
class NodeMap {
 public:
  explicit NodeMap(const KnownNodes& nodes);

  [[nodiscard]] const KnownNodes& nodes() const { return *nodes_; }
  [[nodiscard]] const NodePool& pool(std::size_t index) const { return cluster().pools[index]; }
  [[nodiscard]] std::size_t size() const { return labels_.size(); }
  /// Whether all are Node objects.
  [[nodiscard]] bool has_only_nodes() const { return has_only_nodes_; }

  /// The nodes that fit the pod, `unknown`: or that may fit it.
  [[nodiscard]] Pools fitting(const PreparedPod& pod, Ternary least = Ternary::unknown) const;
  /// The pod of a workload, as the placement has it; null if it has none.
  [[nodiscard]] const PreparedPod* find_pod(const Workload& workload) const;
  /// The node that the pod is bound to by name; nullopt if it is unknown.
  [[nodiscard]] std::optional<std::size_t> find_node(const PodSpec& pod) const;

  /// Whether the nodes certainly have no such label. One that Kubernetes or a provider adds, and
  /// that no node has, may have been left out of nodes that were written by hand; exported ones
  /// have `kubernetes.io/arch`.
  [[nodiscard]] bool lacks(std::size_t pool, std::string_view key) const;
  [[nodiscard]] bool all_lack(const Pools& pools, std::string_view key) const;
  /// Whether any node has the label.
  [[nodiscard]] bool carries(std::string_view key) const { return carried_.contains(key); }
  /// The value that all nodes of the pool have; nullopt if it is unknown.
  [[nodiscard]] std::optional<std::string_view> value(std::size_t pool, std::string_view key) const;

  /// Whether the nodes meet a requirement of a volume. A label that they lack may be one that its
  /// CSI driver adds, unless another node has it.
  [[nodiscard]] Ternary meets(std::size_t pool, NodeRequirement requirement) const;

  /// `a`, `b` and so on: the values of the label among the pools; empty if none is known.
  [[nodiscard]] std::string values_text(const Pools& pools, std::string_view key) const;
  /// Where the label of a pool is written.
  [[nodiscard]] Node label_node(std::size_t pool, std::string_view key) const;

 private:
  [[nodiscard]] const Cluster& cluster() const { return nodes_->placement().cluster(); }
  /// The label, or its twin, that decides about a key; null if the nodes have neither.
  [[nodiscard]] const PoolLabel* find(std::size_t pool, std::string_view key) const;

  const KnownNodes* nodes_;
  NamedNodes named_;
  std::unordered_map<const Workload*, std::size_t> workloads_;  // in the placement
  std::vector<NodeLabels> labels_;
  std::set<std::string_view> carried_;
  bool has_only_nodes_ = true;
};

}  // namespace gpulint
