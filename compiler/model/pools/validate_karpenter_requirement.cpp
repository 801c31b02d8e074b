#include "compiler/model/pools/validate_karpenter_requirement.h"

#include <algorithm>
#include <array>
#include <optional>

#include "compiler/ir/read.h"
#include "compiler/model/facts/karpenter_catalog.h"
#include "compiler/model/kubernetes_names.h"

namespace gpulint {
namespace {

constexpr std::array<std::string_view, 8> operators{"DoesNotExist", "Exists", "Gt",  "Gte",
                                                    "In",           "Lt",     "Lte", "NotIn"};

[[nodiscard]] bool is_comparison(std::string_view op) {
  return op == "Gt" || op == "Lt" || op == "Gte" || op == "Lte";
}

/// `minValues` of a pool's requirement; pods have none.
[[nodiscard]] std::int64_t min_values(const SelectorRequirement& requirement) {
  return read_int(requirement.node, "minValues").value_or(0);
}

[[nodiscard]] bool has_open_values(const SelectorRequirement& requirement) {
  return std::ranges::any_of(requirement.values, [](const Field<std::string>& value) {
    return value.is_opaque() || value.is_mistyped();
  });
}

/// Labels with a closed set of values need one of them, or as many as `minValues`.
[[nodiscard]] bool lacks_known_value(const SelectorRequirement& requirement, std::string_view key,
                                     KarpenterProvider provider) {
  if (!is_karpenter_well_known(key, provider) || !requirement.op.equals("In")) return false;
  for (const WellKnownValues& known : karpenter_well_known_values()) {
    if (known.label != key) continue;
    const auto valid = std::ranges::count_if(requirement.values, [&](const auto& value) {
      return std::ranges::find(known.values, value.value_or("")) != known.values.end();
    });
    return valid == 0 || valid < min_values(requirement);
  }
  return false;
}

[[nodiscard]] bool has_bad_values(const SelectorRequirement& requirement, std::string_view op) {
  const bool is_bad_value = std::ranges::any_of(
      requirement.values,
      [](const Field<std::string>& value) { return !is_label_value(value.value_or("")); });
  const auto count = std::ssize(requirement.values);
  if (is_bad_value || (op == "In" && (count == 0 || count < min_values(requirement)))) return true;
  if (!is_comparison(op)) return false;
  const auto number =
      count == 1 ? parse_go_int(requirement.values.front().value_or("")) : std::nullopt;
  return !number || *number < 0;
}

}  // namespace

RequirementFlaw karpenter_flaw(const SelectorRequirement& requirement, KarpenterProvider provider) {
  if (requirement.key.is_opaque() || requirement.op.is_opaque()) return RequirementFlaw::none;
  const std::string written = requirement.key.value_or("");
  const std::string_view key = normalized_label(written);
  const std::string op = requirement.op.value_or("");
  if (is_karpenter_restricted(key, provider)) return RequirementFlaw::restricted;
  if (std::ranges::find(operators, op) == operators.end() || !is_label_key(key)) {
    return RequirementFlaw::bad;
  }
  if (has_open_values(requirement)) return RequirementFlaw::none;
  const bool is_bad =
      has_bad_values(requirement, op) || lacks_known_value(requirement, key, provider);
  return is_bad ? RequirementFlaw::bad : RequirementFlaw::none;
}

}  // namespace gpulint
