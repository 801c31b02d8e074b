#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "compiler/model/pools/cluster.h"
#include "compiler/model/settings.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/karpenter.h"
#include "compiler/schedule/predicates.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

/// Nodes that are equal for all workloads of the scope: in each label that one of them requires, in
/// taints, and in each resource that one of them requests.
struct NodeClass {
  std::vector<std::size_t> pools;  ///< Indices into Cluster::pools, ascending.
  PreparedNode node;               ///< The first of `pools`.
  /// For a Karpenter pool: evaluated as Karpenter does, with the labels of its instance types.
  std::optional<KarpenterPool> karpenter;
  bool lacks_accelerators = false;  ///< For a Karpenter pool: no machine has accelerators.
};

/// Whether a pod fits empty nodes of a class. Unknown if a decisive fact is unknown, if the pod is
/// bound to an unknown node, and for a pool that its own tool or the kubelet rejects: it has no
/// nodes until it is corrected. At best unknown for a Karpenter pool.
[[nodiscard]] Ternary fits(const PreparedPod& pod, const NodeClass& nodes,
                           Transient states = Transient::counts);
/// The same with the reasons.
[[nodiscard]] Assessment assess(const PreparedPod& pod, const NodeClass& nodes,
                                Transient states = Transient::counts);

/// Where the workloads of one scope can run. The requests of its DaemonSets reduce what their nodes
/// offer to others. Answers are computed on demand, so memory is linear in the input. Workloads and
/// cluster must outlive it.
class Placement {
 public:
  /// With the nodes as the inputs have them.
  Placement(std::vector<const Workload*> workloads, const Cluster& cluster,
            ExtendedResourceToleration admission);
  /// With further facts about the nodes (mark_unknowns.h). `pods`: the prepared pods of the
  /// workloads. What a GPU Node offers is unknown until a device plugin that fits it has run: one
  /// of the workloads, or of the DaemonSets of charts (operands.h).
  Placement(std::vector<const Workload*> workloads, std::vector<PreparedPod> pods,
            const Cluster& given, const std::set<std::string, std::less<>>& virtual_resources,
            const std::deque<Workload>& operands = {});

  [[nodiscard]] std::span<const Workload* const> workloads() const { return workloads_; }
  [[nodiscard]] const PreparedPod& pod(std::size_t workload) const { return pods_[workload]; }
  /// The nodes that pods are compared with; pool for pool as the inputs have them.
  [[nodiscard]] const Cluster& cluster() const { return *cluster_; }
  [[nodiscard]] std::span<const NodeClass> classes() const { return classes_; }

  [[nodiscard]] Ternary fits(std::size_t workload, std::size_t node_class) const;
  [[nodiscard]] Assessment assess(std::size_t workload, std::size_t node_class) const;

  /// The result for all nodes; counts pools, not classes.
  struct Outlook {
    Ternary best = Ternary::no;
    std::size_t fitting = 0;
    std::size_t open = 0;
    std::size_t refusing = 0;
    /// If nothing fits: the class with the fewest certain reasons, the first of equals.
    std::optional<std::size_t> nearest;
  };
  [[nodiscard]] Outlook outlook(std::size_t workload) const;

 private:
  void find_bound_pods();
  void make_classes();
  void reserve_for_daemons();

  std::vector<const Workload*> workloads_;
  std::vector<PreparedPod> pods_;
  std::unique_ptr<const Cluster> marked_;  // null if the nodes are as in the inputs
  const Cluster* cluster_;
  std::vector<NodeClass> classes_;
};

/// Whether ExtendedResourceToleration runs: as declared (`admissionPlugins`, or the default of the
/// declared provider). Otherwise unknown, even if a provider was inferred.
[[nodiscard]] ExtendedResourceToleration admission_of(const Settings& settings);

}  // namespace gpulint
