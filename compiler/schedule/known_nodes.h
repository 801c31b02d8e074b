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

/// A label that the nodes of a class certainly have.
struct CarriedLabel {
  std::string_view key;
  std::string_view value;
  Node node;
};

/// The placement of a scope as rules use it. Transient states of nodes (cordoned, not ready) do not
/// count. NodePools that Karpenter rejects are unknown: invalid-node-pool reports them. Assumed
/// reasons count as certain (Reason::is_assumed): a rule that uses them reports a warning.
class KnownNodes {
 public:
  /// `virtual_resources` may exist although no node lists them. `jobs`: threads.
  KnownNodes(const Cluster& cluster, std::vector<const Workload*> workloads,
             ExtendedResourceToleration admission,
             const std::set<std::string, std::less<>>& virtual_resources, unsigned jobs);

  [[nodiscard]] const Placement& placement() const { return placement_; }
  [[nodiscard]] std::size_t size() const { return placement_.classes().size(); }
  /// The first pool of a class, and all of them, as the inputs have them.
  [[nodiscard]] const NodePool& pool(std::size_t node_class) const;
  [[nodiscard]] std::vector<const NodePool*> members(std::size_t node_class) const;
  [[nodiscard]] Ternary has_accelerators(std::size_t node_class) const;
  /// Whether the scope has GPU nodes.
  [[nodiscard]] bool has_gpus() const;

  [[nodiscard]] Ternary fits(const PreparedPod& pod, std::size_t node_class) const;
  [[nodiscard]] Assessment assess(const PreparedPod& pod, std::size_t node_class) const;
  [[nodiscard]] bool may_fit_somewhere(const PreparedPod& pod) const;
  /// The same for a pod that requires labels of no given workload, which can differ within a class.
  using LabelPair = std::pair<std::string_view, std::string_view>;
  [[nodiscard]] bool may_fit_somewhere(const PreparedPod& pod,
                                       std::span<const LabelPair> new_labels) const;

  /// The labels of the nodes of the class, each once.
  [[nodiscard]] std::span<const CarriedLabel> labels(std::size_t node_class) const;

 private:
  const Cluster* cluster_;
  Placement placement_;
  std::vector<Ternary> accelerators_;  // by class
  std::vector<std::vector<CarriedLabel>> labels_;
};

}  // namespace gpulint
