#pragma once

#include <string>
#include <vector>

#include "compiler/model/pools/karpenter_pool.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

/// Whether Karpenter would create a node of this pool for a pod, without regard to instance types.
struct KarpenterVerdict {
  Ternary compatible = Ternary::yes;
  /// `untolerated-taint:KEY=VALUE:EFFECT`, `undefined-label:KEY`, `conflict:KEY`,
  /// `nodepool-invalid` for the most relaxed form of the pod; sorted.
  std::vector<std::string> reasons;
  int relaxed = 0;  ///< The number of preferences and alternatives that Karpenter gave up.
  /// Why Karpenter ignores the pod for every pool: `restricted-label:KEY`, `bad-requirement:KEY`,
  /// `match-fields`, `nodepool-label-must-not-exist`; sorted.
  std::vector<std::string> pod_refused;

  [[nodiscard]] Ternary provisionable() const {
    return pod_refused.empty() ? compatible : Ternary::no;
  }
};
[[nodiscard]] KarpenterVerdict check_karpenter(const PodSpec& pod, const KarpenterPool& pool);
[[nodiscard]] KarpenterVerdict check_karpenter(const PodSpec& pod,
                                               const std::vector<Toleration>& tolerations,
                                               const KarpenterPool& pool);

}  // namespace gpulint
