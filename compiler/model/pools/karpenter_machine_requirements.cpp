#include <string>
#include <string_view>
#include <utility>

#include "compiler/model/pools/karpenter_pool.h"

namespace gpulint {
namespace {

using Values = KarpenterRequirement::Values;

constexpr std::string_view instance_type = "node.kubernetes.io/instance-type";
constexpr std::string_view instance_family = "karpenter.k8s.aws/instance-family";
constexpr std::string_view instance_size = "karpenter.k8s.aws/instance-size";
constexpr std::string_view instance_category = "karpenter.k8s.aws/instance-category";
constexpr std::string_view digits = "0123456789";

/// The values that a label can have; null if they are not a closed set.
[[nodiscard]] const Values* known_values(const KarpenterRequirements& requirements,
                                         std::string_view key) {
  const KarpenterRequirement* const known = requirements.find(key);
  if (known == nullptr || known->is_complement() || known->is_open()) return nullptr;
  return known->values().empty() ? nullptr : &known->values();
}

[[nodiscard]] std::string_view family_of(std::string_view type) {
  return type.substr(0, type.find('.'));
}

[[nodiscard]] std::string_view size_of(std::string_view type) {
  return type.substr(type.find('.') + 1);
}

/// The letters before the generation: `g` of `g5`, `trn` of `trn1n`.
[[nodiscard]] std::string_view category_of(std::string_view family) {
  return family.substr(0, family.find_first_of(digits));
}

/// Whether families have the usual form of AWS: `g5`, `p4de`; not `u-6tb1`.
[[nodiscard]] bool are_regular(const Values& names) {
  for (const std::string& name : names) {
    const std::string_view family = family_of(name);
    const std::size_t digit = family.find_first_of(digits);
    if (digit == 0 || digit == std::string_view::npos || family.find('-') != family.npos) {
      return false;
    }
  }
  return true;
}

template <class Part>
void restrict_to(KarpenterRequirements& requirements, std::string_view key, const Values& names,
                 Part part) {
  Values values;
  for (const std::string& name : names) values.emplace(part(std::string_view(name)));
  requirements.add(key, KarpenterRequirement("In", std::move(values)));
}

}  // namespace

void add_machine_requirements(KarpenterRequirements& requirements) {
  const Values* const types = known_values(requirements, instance_type);
  if (types != nullptr && are_regular(*types)) {
    const Values names = *types;  // a copy: requirements move below
    restrict_to(requirements, instance_family, names, family_of);
    restrict_to(requirements, instance_size, names, size_of);
  }
  const Values* const families = known_values(requirements, instance_family);
  if (families == nullptr || !are_regular(*families)) return;
  restrict_to(requirements, instance_category, Values(*families), category_of);
}

}  // namespace gpulint
