#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/model/pools/karpenter_pool.h"
#include "compiler/schedule/predicates.h"

namespace gpulint {

/// Adds a reason to `assessment` if no machine that pool and pod allow can run the pod with the
/// DaemonSets of `node`. Karpenter then reports "no instance type satisfied resources … and
/// requirements …". Certain only if all machines are known and the pod requests more than a machine
/// has: what the kubelet reserves is unknown. With DaemonSets, assumed if the pod requests more
/// memory than Karpenter expects on AWS before it has seen such a node: 7.5 % less, unless
/// `vmMemoryOverheadPercent` is set (aws/karpenter-provider-aws 00c29898f8d3,
/// pkg/operator/options/options.go; 538ac5f53cfe, pkg/providers/instancetype/types.go, memory;
/// b7c43107cd19, instancetype.go, discoveredCapacityCache).
void check_machines(const PreparedPod& pod, const PreparedNode& node, const KarpenterPool& pool,
                    Assessment& assessment);

/// `no` if none of the pool's machines has the labels that the pod requires.
[[nodiscard]] Ternary may_be_machine(const PodSpec& pod, const KarpenterPool& pool);

/// Whether each node of the pool has the labels that the pod requires.
[[nodiscard]] bool selects_all_nodes(const PodSpec& pod, const KarpenterPool& pool);

/// A limit of the pool that is less than each of its machines has: Karpenter creates no node. Not a
/// limit of zero, which closes a pool on purpose.
struct LowLimit {
  ResourceEntry limit;
  std::int64_t least = 0;  ///< The amount of the smallest machine; thousandths of `cpu`.
};
[[nodiscard]] std::vector<LowLimit> find_low_limits(const KarpenterPool& pool,
                                                    const MachineSet& machines);

/// A requirement of a Karpenter pool. Without it, some machine would have what the pod requests.
struct Exclusion {
  Node requirement;      ///< Its first value, else the whole requirement.
  std::string key;       ///< `karpenter.k8s.aws/instance-cpu`
  std::string machines;  ///< What it excludes, in backticks.
};
/// The last such requirement, because people select families first; nullopt for other pools.
[[nodiscard]] std::optional<Exclusion> find_exclusion(const PodSpec& pod, const NodePool& pool);

}  // namespace gpulint
