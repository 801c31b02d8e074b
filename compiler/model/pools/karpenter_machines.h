#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/facts/machine_catalog.h"
#include "compiler/model/pools/karpenter_requirement.h"

namespace gpulint {

/// The EC2 machines that requirements leave, as Karpenter chooses among them: by type, family,
/// size, category, generation, architecture, processors, memory, GPUs and accelerators.
struct MachineSet {
  std::vector<const Machine*> machines;
  /// No other machine can be meant: the requirements name types, families or GPUs that are all in
  /// the table, not what is yet to come.
  bool is_closed = false;
};
[[nodiscard]] MachineSet machines_left(const KarpenterRequirements& requirements);
/// The same of what `from` left, to which `requirements` add.
[[nodiscard]] MachineSet machines_left(const KarpenterRequirements& requirements,
                                       const MachineSet& from);

/// The values of a label of such machines' nodes, each once; nullopt where one of them is open, and
/// an empty text for those that lack it.
[[nodiscard]] std::optional<std::set<std::string>> values_of(
    const std::vector<const Machine*>& machines, std::string_view label);

/// `g4ad.2xlarge`, or `g5.xlarge … g5.48xlarge (8)`.
[[nodiscard]] std::string describe(const std::vector<const Machine*>& machines);

/// Whether a machine of the table has a GPU or an accelerator that Karpenter calls so.
[[nodiscard]] bool is_karpenter_gpu_name(std::string_view name);

}  // namespace gpulint
