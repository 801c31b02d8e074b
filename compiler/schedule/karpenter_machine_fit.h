#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/model/pools/karpenter_pool.h"
#include "compiler/schedule/predicates.h"

namespace gpulint {

/// Whether a machine that both pool and pod leave holds the pod with the DaemonSets of `node`. If
/// none does, Karpenter says "no instance type satisfied resources … and requirements …". Certain
/// only where all of them are known, and beyond what the machine has: what the kubelet reserves is
/// unknown. With DaemonSets assumed beyond what Karpenter's provider on AWS expects of the
/// memory before it has seen such a node: 7.5 % less, unless `vmMemoryOverheadPercent` says
/// otherwise (aws/karpenter-provider-aws 00c29898f8d3, pkg/operator/options/options.go;
/// 538ac5f53cfe, pkg/providers/instancetype/types.go, memory; b7c43107cd19, instancetype.go,
/// discoveredCapacityCache).
void judge_machines(const PreparedPod& pod, const PreparedNode& node, const KarpenterPool& pool,
                    Assessment& assessment);

/// No where none of the pool's machines has the labels that the pod demands.
[[nodiscard]] Ternary may_be_machine(const PodSpec& pod, const KarpenterPool& pool);

/// Whether each node of the pool has the labels that the pod demands.
[[nodiscard]] bool selects_all_nodes(const PodSpec& pod, const KarpenterPool& pool);

/// A limit of the pool that is less than each of its machines has, so that Karpenter makes none. A
/// limit of zero closes a pool on purpose.
struct LowLimit {
  ResourceEntry limit;
  std::int64_t least = 0;  ///< Of the smallest machine; thousandths of `cpu`.
};
[[nodiscard]] std::vector<LowLimit> find_low_limits(const KarpenterPool& pool,
                                                    const MachineSet& machines);

/// A requirement of a Karpenter pool without which some machine has what the pod requests.
struct Exclusion {
  Node requirement;  ///< Its first value, else all of it.
  std::string text;  ///< "`karpenter.k8s.aws/instance-cpu` excludes `p4d.24xlarge`".
};
/// The last one, because people select families first. Nothing of other pools.
[[nodiscard]] std::optional<Exclusion> find_exclusion(const PodSpec& pod, const NodePool& pool);

}  // namespace gpulint
