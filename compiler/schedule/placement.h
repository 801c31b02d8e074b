#pragma once

#include <cstddef>
#include <cstdint>
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

/// Nodes that none of the workloads at hand can tell apart: equal in every label that one of them
/// asks for, in taints and in the resources that one of them requests.
struct NodeClass {
  std::vector<std::size_t> pools;  ///< Indices into Cluster::pools, ascending.
  PreparedNode node;               ///< Of the first of them.
  /// Judged by Karpenter's own semantics, with what the names of instance types say.
  std::optional<KarpenterPool> karpenter;
  bool lacks_accelerators = false;  ///< Of a Karpenter pool: none of its machines has any.
};

/// Whether a pod fits the nodes of a class, were those empty. Certain only where everything that
/// decides is known. A pod on a node that is not known is unknown on all others. A Karpenter pool
/// is unknown at best. A pool that its own tool or the kubelet refuses is unknown: it has no nodes
/// until somebody corrects it.
[[nodiscard]] Ternary fits(const PreparedPod& pod, const NodeClass& nodes,
                           Transient states = Transient::counts);
/// The same with the reasons.
[[nodiscard]] Assessment assess(const PreparedPod& pod, const NodeClass& nodes,
                                Transient states = Transient::counts);

/// Where the workloads of one scope can run: what DaemonSets among them request of their nodes is
/// not left for others. Every question is answered on demand, so memory is
/// linear in the input. Workloads and cluster must outlive it.
class Placement {
 public:
  /// On the nodes as the inputs have them.
  Placement(std::vector<const Workload*> workloads, const Cluster& cluster,
            ExtendedResourceToleration admission);
  /// On the nodes with what else is known of them (mark_unknowns.h). `pods`: the workloads',
  /// prepared. What a GPU Node will offer is unknown before a device plugin that fits it has run.
  Placement(std::vector<const Workload*> workloads, std::vector<PreparedPod> pods,
            const Cluster& given, const std::set<std::string, std::less<>>& virtual_resources);

  [[nodiscard]] std::span<const Workload* const> workloads() const { return workloads_; }
  [[nodiscard]] const PreparedPod& pod(std::size_t workload) const { return pods_[workload]; }
  /// The nodes that pods are compared with; pool for pool as the inputs have them.
  [[nodiscard]] const Cluster& cluster() const { return *cluster_; }
  [[nodiscard]] std::span<const NodeClass> classes() const { return classes_; }

  [[nodiscard]] Ternary fits(std::size_t workload, std::size_t node_class) const;
  [[nodiscard]] Assessment assess(std::size_t workload, std::size_t node_class) const;

  /// All nodes at once; counts are of pools, not of classes.
  struct Outlook {
    Ternary best = Ternary::no;
    std::size_t fitting = 0;
    std::size_t open = 0;
    std::size_t refusing = 0;
    /// Where nothing fits: the class with the fewest certain reasons, the first of equals.
    std::optional<std::size_t> nearest;
  };
  [[nodiscard]] Outlook outlook(std::size_t workload) const;

 private:
  void find_bound_pods();
  void make_classes();
  void reserve_for_daemons();

  std::vector<const Workload*> workloads_;
  std::vector<PreparedPod> pods_;
  std::unique_ptr<const Cluster> marked_;  // null of nodes as the inputs have them
  const Cluster* cluster_;
  std::vector<NodeClass> classes_;
};

/// Whether ExtendedResourceToleration runs: as declared (`admissionPlugins`, or the declared
/// provider's default); unknown where neither is said, whatever provider was inferred.
[[nodiscard]] ExtendedResourceToleration admission_of(const Settings& settings);

}  // namespace gpulint
