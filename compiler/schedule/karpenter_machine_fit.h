#pragma once

#include "compiler/model/pools/karpenter_pool.h"
#include "compiler/schedule/predicates.h"

namespace gpulint {

/// Whether a machine that both pool and pod leave holds the pod, were it alone there; Karpenter
/// says «no instance type satisfied resources … and requirements …» where none does. Certain only
/// where all of them are known, and beyond what the machine has: what the kubelet reserves is open.
void judge_machines(const PreparedPod& pod, const KarpenterPool& pool, Assessment& assessment);

/// No where none of the pool's machines has the labels that the pod demands.
[[nodiscard]] Ternary may_be_machine(const PodSpec& pod, const KarpenterPool& pool);

}  // namespace gpulint
