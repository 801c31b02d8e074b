#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/pools/karpenter_machines.h"
#include "compiler/model/pools/karpenter_requirement.h"
#include "compiler/model/taint.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// The provider whose labels Karpenter knows. `other`: a provider with labels that are not in the
/// tables; an undefined label is then not certainly rejected.
enum class KarpenterProvider : std::uint8_t { core, aws, other };

/// A Karpenter NodePool (v1, v1beta1) or Provisioner.
struct KarpenterPool {
  Node object;
  KarpenterProvider provider = KarpenterProvider::core;
  std::string name;
  KarpenterRequirements requirements;
  std::vector<SelectorRequirement> stated;  ///< As written; the source of `requirements`.
  Node labels;                              ///< Of its template; may be null.
  Node taints_node;                         ///< Of its template; may be null.
  std::vector<Taint> taints;
  /// Why Karpenter itself rejects it (`label:KEY`, `requirement:KEY`, `taint:KEY`), sorted; the
  /// pool then never becomes ready.
  std::vector<std::string> invalid;
  /// The names of instance types also imply requirements (add_machine_requirements).
  bool knows_machines = false;
  MachineSet machines;  ///< Then: those that match its requirements.
  /// A device plugin may offer more devices than machines have.
  bool may_share_devices = false;

  [[nodiscard]] bool is_provisioner() const;
};

/// `object` must be of one of those kinds.
[[nodiscard]] KarpenterPool read_karpenter_pool(Node object);
[[nodiscard]] KarpenterPool read_karpenter_pool(Node object, KarpenterProvider provider);

/// All requirements of the pool except one, which is a member of `stated`.
[[nodiscard]] KarpenterRequirements requirements_without(const KarpenterPool& pool,
                                                         const SelectorRequirement& left_out);

/// Adds the requirements that the names of AWS instance types imply: nodes with the type
/// `p4d.24xlarge` have the family `p4d` and the category `p`. Karpenter applies them when it
/// selects an instance type.
void add_machine_requirements(KarpenterRequirements& requirements);

[[nodiscard]] bool is_karpenter_well_known(std::string_view label, KarpenterProvider provider);
/// Labels that only Karpenter may set.
[[nodiscard]] bool is_karpenter_restricted(std::string_view label, KarpenterProvider provider);

}  // namespace gpulint
