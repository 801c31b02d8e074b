#include "compiler/model/facts/machine_catalog.h"

#include <algorithm>
#include <array>
#include <string>

#include "compiler/base/text.h"
#include "compiler/model/facts/gpu_resource.h"

namespace gpulint {
namespace {

#include "tables/instance_types.inc"

constexpr std::string_view azure_prefix = "standard_";

[[nodiscard]] std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

}  // namespace

std::optional<std::int64_t> Machine::count(std::string_view resource) const {
  const auto found = std::ranges::find(accelerators, resource, &MachineAccelerator::resource);
  if (found != accelerators.end()) return found->count;
  return is_open ? std::nullopt : std::optional<std::int64_t>(0);
}

std::optional<std::int64_t> Machine::most(std::string_view resource) const {
  // vendors whose devices the table counts
  static constexpr std::array<std::string_view, 3> vendors = {"nvidia.com/", "amd.com/",
                                                              "aws.amazon.com/"};
  if (resource == "cpu" || resource == "memory") {
    if (cpu == 0) return std::nullopt;
    return resource == "cpu" ? std::int64_t{cpu} * 1000 : std::int64_t{memory_mib} << 20;
  }
  const auto offered = std::ranges::find(accelerators, resource, &MachineAccelerator::resource);
  if (offered != accelerators.end()) return offered->count;
  const auto* const vendor = std::ranges::find_if(
      vendors, [&](std::string_view prefix) { return resource.starts_with(prefix); });
  if (is_open || vendor == vendors.end() || !is_gpu_resource(resource)) return std::nullopt;
  const bool is_renamed =
      std::ranges::any_of(accelerators, [&](const MachineAccelerator& accelerator) {
        return accelerator.resource.starts_with(*vendor);
      });
  return is_renamed ? std::nullopt : std::optional<std::int64_t>(0);
}

std::span<const Machine> all_machines() { return machine_table; }

const Machine* find_machine(std::string_view type) {
  const std::string lower = lower_case(type);
  if (lower != type && !lower.starts_with(azure_prefix)) return nullptr;
  const auto* const found =
      std::ranges::lower_bound(machine_table, std::string_view(lower), {}, &Machine::type);
  return found != std::end(machine_table) && found->type == lower ? found : nullptr;
}

std::vector<const Machine*> machines_of_family(std::string_view family) {
  const std::string prefix = std::string(family) + ".";
  std::vector<const Machine*> found;
  const auto* at =
      std::ranges::lower_bound(machine_table, std::string_view(prefix), {}, &Machine::type);
  for (; at != std::end(machine_table) && at->type.starts_with(prefix); ++at) found.push_back(at);
  return found;
}

}  // namespace gpulint
