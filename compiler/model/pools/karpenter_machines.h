#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/field.h"
#include "compiler/model/facts/machine_catalog.h"
#include "compiler/model/pools/karpenter_requirement.h"

namespace gpulint {

/// The EC2 machines that match requirements, with the labels that Karpenter uses: type, family,
/// size, category, generation, architecture, processors, memory, GPUs and accelerators.
struct MachineSet {
  std::vector<const Machine*> machines;
  /// No other machine can match: the requirements name types, families or GPUs that are all in the
  /// table, so future types are excluded.
  bool is_closed = false;
};
[[nodiscard]] MachineSet machines_left(const KarpenterRequirements& requirements);
/// The same, starting from the machines of `from`, with more `requirements`.
[[nodiscard]] MachineSet machines_left(const KarpenterRequirements& requirements,
                                       const MachineSet& from);

/// The values of a label of such machines' nodes, each once; an empty text for those without the
/// label. nullopt if one of them is unknown.
[[nodiscard]] std::optional<std::set<std::string>> values_of(
    const std::vector<const Machine*>& machines, std::string_view label);

/// `g4ad.2xlarge`, or `g5.xlarge … g5.48xlarge (8 types)`. Types in `written` are spelt as there:
/// Azure's may have capital letters.
[[nodiscard]] std::string describe(const std::vector<const Machine*>& machines,
                                   std::span<const Value<std::string>> written = {});

/// Whether Karpenter has this name for a GPU or an accelerator of a machine in the table.
[[nodiscard]] bool is_karpenter_gpu_name(std::string_view name);

}  // namespace gpulint
