#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/cluster.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/karpenter/requirement.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

/// Whose labels Karpenter knows. `other`: a provider that registers labels which are not in the
/// tables, so that an undefined label is not certainly refused.
enum class KarpenterProvider : std::uint8_t { core, aws, other };

/// A Karpenter NodePool (v1, v1beta1) or Provisioner, read once.
struct KarpenterPool {
  Node object;
  KarpenterProvider provider = KarpenterProvider::core;
  std::string name;
  KarpenterRequirements requirements;
  std::vector<Taint> taints;
  /// Why Karpenter itself refuses it (`label:KEY`, `requirement:KEY`, `taint:KEY`), sorted; the
  /// pool then never becomes ready.
  std::vector<std::string> invalid;
  /// What the names of instance types say counts, too (add_machine_requirements).
  bool knows_machines = false;
};

/// `object` must be of one of those kinds.
[[nodiscard]] KarpenterPool read_karpenter_pool(Node object);
[[nodiscard]] KarpenterPool read_karpenter_pool(Node object, KarpenterProvider provider);

/// Adds what the names of AWS instance types say: nodes of the type `p4d.24xlarge` are of the family
/// `p4d` and the category `p`. Karpenter finds that out when it looks for an instance type.
void add_machine_requirements(KarpenterRequirements& requirements);

/// Whether Karpenter would make a node of this pool for a pod, instance types aside.
struct KarpenterVerdict {
  Ternary compatible = Ternary::yes;
  /// `untolerated-taint:KEY=VALUE:EFFECT`, `undefined-label:KEY`, `conflict:KEY`,
  /// `nodepool-invalid` of the most relaxed form of the pod; sorted.
  std::vector<std::string> reasons;
  int relaxed = 0;  ///< Preferences and alternatives given up on the way.
  /// Why Karpenter ignores the pod whatever the pool: `restricted-label:KEY`,
  /// `bad-requirement:KEY`, `match-fields`, `nodepool-label-must-not-exist`; sorted.
  std::vector<std::string> pod_refused;

  [[nodiscard]] Ternary provisionable() const {
    return pod_refused.empty() ? compatible : Ternary::no;
  }
};
[[nodiscard]] KarpenterVerdict judge_karpenter(const PodSpec& pod, const KarpenterPool& pool);
[[nodiscard]] KarpenterVerdict judge_karpenter(const PodSpec& pod,
                                               const std::vector<Toleration>& tolerations,
                                               const KarpenterPool& pool);

/// Why Karpenter ignores the pod (KarpenterVerdict::pod_refused).
[[nodiscard]] std::vector<std::string> karpenter_refusals(const PodSpec& pod,
                                                          KarpenterProvider provider);

[[nodiscard]] bool is_karpenter_well_known(std::string_view label, KarpenterProvider provider);
/// Labels that only Karpenter may set.
[[nodiscard]] bool is_karpenter_restricted(std::string_view label, KarpenterProvider provider);

}  // namespace gpulint
