#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/model/pools/cluster.h"
#include "compiler/schedule/placement.h"

namespace gpulint {

/// A label that nodes of a class surely carry.
struct CarriedLabel {
  std::string_view key;
  std::string_view value;
  Node node;
};

/// The placement of a scope as rules read it. States of nodes that pass (cordoned, not ready) do
/// not count. NodePools that Karpenter refuses are unknown: invalid-node-pool reports them. Assumed
/// reasons count as certain ones (Reason::is_assumed): a rule that reports them reports a warning.
class KnownNodes {
 public:
  /// `virtual_resources` may exist although no node states them. `jobs`: threads.
  KnownNodes(const Cluster& cluster, std::vector<const Workload*> workloads,
             ExtendedResourceToleration admission,
             const std::set<std::string, std::less<>>& virtual_resources, unsigned jobs);

  [[nodiscard]] const Placement& placement() const { return placement_; }
  [[nodiscard]] std::size_t size() const { return placement_.classes().size(); }
  /// The first of a class, and all of it, as they were read.
  [[nodiscard]] const NodePool& pool(std::size_t node_class) const;
  [[nodiscard]] std::vector<const NodePool*> members(std::size_t node_class) const;
  [[nodiscard]] Ternary has_accelerators(std::size_t node_class) const;
  /// Whether GPU nodes are known at all.
  [[nodiscard]] bool has_gpus() const;

  [[nodiscard]] Ternary fits(const PreparedPod& pod, std::size_t node_class) const;
  [[nodiscard]] Assessment assess(const PreparedPod& pod, std::size_t node_class) const;
  [[nodiscard]] bool may_fit_somewhere(const PreparedPod& pod) const;
  /// The same for a pod that asks for labels that none of the given workloads asks for: nodes of
  /// one class then differ.
  using LabelPair = std::pair<std::string_view, std::string_view>;
  [[nodiscard]] bool may_fit_somewhere(const PreparedPod& pod,
                                       std::span<const LabelPair> new_labels) const;

  /// Every pair of key and value that nodes of the class carry, once.
  [[nodiscard]] std::span<const CarriedLabel> labels(std::size_t node_class) const;

 private:
  const Cluster* cluster_;
  Placement placement_;
  std::vector<Ternary> accelerators_;  // by class
  std::vector<std::vector<CarriedLabel>> labels_;
};

}  // namespace gpulint
