#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/cluster.h"
#include "compiler/model/pools/karpenter_machines.h"
#include "compiler/model/pools/karpenter_requirement.h"
#include "compiler/model/workload.h"

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
  std::vector<SelectorRequirement> stated;  ///< As written, of which `requirements` are made.
  Node labels;                              ///< Of its template; may be nothing.
  Node taints_node;                         ///< Likewise.
  std::vector<Taint> taints;
  /// Why Karpenter itself refuses it (`label:KEY`, `requirement:KEY`, `taint:KEY`), sorted; the
  /// pool then never becomes ready.
  std::vector<std::string> invalid;
  /// What the names of instance types say counts, too (add_machine_requirements).
  bool knows_machines = false;
  MachineSet machines;  ///< Then: those that its requirements leave.
  /// A device plugin may offer more devices than machines have.
  bool may_share_devices = false;

  [[nodiscard]] bool is_provisioner() const;
};

/// `object` must be of one of those kinds.
[[nodiscard]] KarpenterPool read_karpenter_pool(Node object);
[[nodiscard]] KarpenterPool read_karpenter_pool(Node object, KarpenterProvider provider);

/// All that the pool states but one of its requirements, which is a member of `stated`.
[[nodiscard]] KarpenterRequirements requirements_without(const KarpenterPool& pool,
                                                         const SelectorRequirement& left_out);

/// Adds what the names of AWS instance types say: nodes of the type `p4d.24xlarge` are of the
/// family `p4d` and the category `p`. Karpenter finds that out when it looks for an instance type.
void add_machine_requirements(KarpenterRequirements& requirements);

[[nodiscard]] bool is_karpenter_well_known(std::string_view label, KarpenterProvider provider);
/// Labels that only Karpenter may set.
[[nodiscard]] bool is_karpenter_restricted(std::string_view label, KarpenterProvider provider);

}  // namespace gpulint
