#include "rules/unknown-gpu-label/machine_types.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/model/machine_catalog.h"

namespace gpulint::rules::unknown_gpu_label {

std::string types_of_family(std::string_view key, std::string_view value) {
  const std::size_t dot = value.find('.');
  if (!key.ends_with("kubernetes.io/instance-type") || dot == value.npos) return {};
  if (find_machine(value) != nullptr) return {};
  const std::vector<const Machine*> family = machines_of_family(value.substr(0, dot));
  const bool has_gpus = std::ranges::any_of(
      family, [](const Machine* machine) { return !machine->accelerators.empty(); });
  if (!has_gpus) return {};
  std::vector<std::string_view> types;
  for (const Machine* machine : family) types.push_back(machine->type);
  return fmt::format("`{}`", fmt::join(types, "`, `"));
}

void report_type(Reporter& reporter, const Field<std::string>& value, std::string_view types) {
  reporter.report(value.node(), "no instance type `{}` is known", value.value())
      .help("its family has {}", types);
}

}  // namespace gpulint::rules::unknown_gpu_label
