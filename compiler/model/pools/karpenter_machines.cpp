#include "compiler/model/pools/karpenter_machines.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace gpulint {
namespace {

constexpr std::string_view machine_type_label = "node.kubernetes.io/instance-type";
/// The label's name in Karpenter's Azure provider.
constexpr std::string_view azure_type_label = "karpenter.azure.com/sku-name";
/// The prefixes of Karpenter's AWS provider and EKS Auto Mode for the same labels.
constexpr std::array<std::string_view, 2> instance_prefixes = {"karpenter.k8s.aws/instance-",
                                                               "eks.amazonaws.com/instance-"};

/// The value of one label of a machine's nodes; `is_open` if the table does not have it.
struct MachineLabel {
  std::string value;  ///< Empty: no such label.
  bool is_open = false;
};

[[nodiscard]] std::string_view ec2_family(std::string_view type) {
  return type.substr(0, type.find('.'));
}

/// The digits after the letters: `4` of `g4dn`.
[[nodiscard]] std::string_view generation_of(std::string_view family) {
  const std::size_t begin = std::min(family.find_first_of("0123456789"), family.size());
  const std::string_view rest = family.substr(begin);
  return rest.substr(0, rest.find_first_not_of("0123456789"));
}

/// `family` of `karpenter.k8s.aws/instance-family`; empty for other labels.
[[nodiscard]] std::string_view instance_label(std::string_view key) {
  for (const std::string_view prefix : instance_prefixes) {
    if (key.starts_with(prefix)) return key.substr(prefix.size());
  }
  return {};
}

[[nodiscard]] std::string count_text(const Machine& machine) {
  return machine.accelerators.empty() ? std::string{}
                                      : std::to_string(machine.accelerators.front().count);
}

/// The labels that Karpenter's AWS provider derives from a type (pkg/providers/instancetype,
/// computeRequirements).
[[nodiscard]] MachineLabel machine_label(const Machine& machine, std::string_view key) {
  const std::string_view family = ec2_family(machine.type);
  const std::string_view name = instance_label(key);
  if (machine.cpu > 0 && key == "kubernetes.io/arch") return {std::string(machine.arch)};
  if (machine.cpu == 0 || name.empty()) return {.value = {}, .is_open = true};
  if (name == "family") return {std::string(family)};
  if (name == "size") return {std::string(machine.type.substr(family.size() + 1))};
  if (name == "cpu") return {std::to_string(machine.cpu)};
  if (name == "memory") return {std::to_string(machine.memory_mib)};
  const bool is_plain = family.find('-') == family.npos || family.starts_with("p6-");
  if (name == "category" || name == "generation") {
    if (!is_plain) return {.value = {}, .is_open = true};
    return {std::string(name == "category" ? family.substr(0, family.find_first_of("0123456789"))
                                           : generation_of(family))};
  }
  if (machine.is_open) return {.value = {}, .is_open = true};
  if (name == "gpu-name") return {std::string(machine.gpu_name)};
  if (name == "gpu-manufacturer") return {std::string(machine.gpu_manufacturer)};
  if (name == "gpu-memory") return {std::string(machine.gpu_memory_mib)};
  if (name == "gpu-count") return {machine.gpu_name.empty() ? std::string{} : count_text(machine)};
  if (name == "accelerator-name") return {std::string(machine.accelerator_name)};
  if (name == "accelerator-count") {
    return {machine.accelerator_name.empty() ? std::string{} : count_text(machine)};
  }
  return {.value = {}, .is_open = true};
}

/// Azure's types are the same in any letter case.
[[nodiscard]] bool is_type(const Machine& machine, const KarpenterRequirement& requirement) {
  if (requirement.is_open()) return true;
  if (requirement.is_complement()) {
    return requirement.has_intersection(KarpenterRequirement("In", {std::string(machine.type)}));
  }
  return std::ranges::any_of(requirement.values(), [&](const std::string& type) {
    return find_machine(type) == &machine;
  });
}

[[nodiscard]] bool passes(const Machine& machine, const KarpenterRequirements& requirements) {
  return std::ranges::all_of(requirements.by_key(), [&](const auto& entry) {
    const auto& [key, requirement] = entry;
    if (key == machine_type_label || key == azure_type_label) {
      return is_type(machine, requirement);
    }
    const MachineLabel label = machine_label(machine, key);
    if (label.is_open || requirement.is_open()) return true;
    if (label.value.empty()) return requirement.allows_absence();
    return requirement.allows(label.value);
  });
}

/// Values of a closed set; null if there may be others.
[[nodiscard]] const KarpenterRequirement::Values* listed(const KarpenterRequirements& requirements,
                                                         std::string_view key) {
  const KarpenterRequirement* const found = requirements.find(key);
  const bool is_listed = found != nullptr && !found->is_open() && !found->is_complement();
  return is_listed ? &found->values() : nullptr;
}

/// The possible machine types; null if there may be others.
[[nodiscard]] const KarpenterRequirement::Values* listed_types(
    const KarpenterRequirements& requirements) {
  const auto* const types = listed(requirements, machine_type_label);
  return types != nullptr ? types : listed(requirements, azure_type_label);
}

/// GPUs whose older machines are no longer in the table.
[[nodiscard]] bool is_whole(std::string_view gpu_name) { return gpu_name != "v100"; }

/// The values of an instance label, for any provider.
[[nodiscard]] const KarpenterRequirement::Values* listed_label(
    const KarpenterRequirements& requirements, std::string_view name) {
  for (const std::string_view prefix : instance_prefixes) {
    const auto* const found = listed(requirements, std::string(prefix) + std::string(name));
    if (found != nullptr) return found;
  }
  return nullptr;
}

[[nodiscard]] bool is_closed(const KarpenterRequirements& requirements) {
  if (const auto* const types = listed_types(requirements)) {
    return std::ranges::all_of(
        *types, [](const std::string& type) { return find_machine(type) != nullptr; });
  }
  if (const auto* const families = listed_label(requirements, "family")) {
    return std::ranges::all_of(
        *families, [](const std::string& family) { return !machines_of_family(family).empty(); });
  }
  const auto* const gpus = listed_label(requirements, "gpu-name");
  return gpus != nullptr && std::ranges::all_of(*gpus, [](const std::string& name) {
           return is_karpenter_gpu_name(name) && is_whole(name);
         });
}

}  // namespace

MachineSet machines_left(const KarpenterRequirements& requirements) {
  MachineSet set{.machines = {}, .is_closed = is_closed(requirements)};
  const bool are_types_listed = listed_types(requirements) != nullptr;
  for (const Machine& machine : all_machines()) {
    // for other clouds' machines only the type is known
    if (machine.cpu == 0 && !are_types_listed) continue;
    if (passes(machine, requirements)) set.machines.push_back(&machine);
  }
  return set;
}

MachineSet machines_left(const KarpenterRequirements& requirements, const MachineSet& from) {
  // a family that a pod requires may have more types, and an open pool may name one of them
  const bool are_types_listed = listed_types(requirements) != nullptr;
  MachineSet set{.machines = {},
                 .is_closed = from.is_closed || (are_types_listed && is_closed(requirements))};
  std::ranges::copy_if(from.machines, std::back_inserter(set.machines),
                       [&](const Machine* machine) { return passes(*machine, requirements); });
  return set;
}

std::optional<std::set<std::string>> values_of(const std::vector<const Machine*>& machines,
                                               std::string_view label) {
  std::set<std::string> values;
  for (const Machine* machine : machines) {
    MachineLabel value = machine_label(*machine, label);
    if (value.is_open || machine->cpu == 0) return std::nullopt;
    values.insert(std::move(value.value));
  }
  return values;
}

std::string describe(const std::vector<const Machine*>& machines,
                     std::span<const Value<std::string>> written) {
  const auto type_of = [&](const Machine* machine) -> std::string_view {
    const auto found = std::ranges::find_if(written, [&](const Value<std::string>& type) {
      return find_machine(type.value) == machine;
    });
    return found == written.end() ? machine->type : found->value;
  };
  if (machines.empty()) return "none";
  if (machines.size() == 1) return fmt::format("`{}`", type_of(machines.front()));
  std::vector<const Machine*> sorted = machines;
  std::ranges::sort(sorted, {}, [](const Machine* machine) {
    return std::pair(ec2_family(machine->type), machine->cpu);
  });
  if (sorted.size() == 2) {
    return fmt::format("`{}` and `{}`", type_of(sorted.front()), type_of(sorted.back()));
  }
  return fmt::format("`{}` … `{}` ({} types)", type_of(sorted.front()), type_of(sorted.back()),
                     sorted.size());
}

bool is_karpenter_gpu_name(std::string_view name) {
  return !name.empty() && std::ranges::any_of(all_machines(), [&](const Machine& machine) {
    return machine.gpu_name == name || machine.accelerator_name == name;
  });
}

}  // namespace gpulint
