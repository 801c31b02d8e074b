#include "compiler/model/dra/constraints.h"

#include <algorithm>

namespace gpulint::dra {
namespace {

/// Lists of values are an alpha feature: without it the scheduler does not compare them.
[[nodiscard]] bool is_single(const cel::Attribute& value) {
  return std::holds_alternative<bool>(value) || std::holds_alternative<std::int64_t>(value) ||
         std::holds_alternative<std::string>(value) ||
         std::holds_alternative<cel::VersionText>(value);
}

}  // namespace

const cel::Attribute* find_attribute(const Device& device, const std::string& name) {
  const auto find = [&](std::string_view wanted) -> const cel::Attribute* {
    const auto& attributes = device.view.attributes;
    const auto found =
        std::ranges::find_if(attributes, [&](const auto& one) { return one.first == wanted; });
    return found == attributes.end() ? nullptr : &found->second;
  };
  if (const cel::Attribute* found = find(name)) return found;
  const std::string_view driver = device.view.driver ? *device.view.driver : std::string_view();
  const cel::QualifiedName qualified = cel::qualify(name, driver);
  return qualified.domain == driver ? find(qualified.name) : nullptr;
}

bool ConstraintState::applies(const std::string& request, const std::string& alternative) const {
  const std::vector<std::string>& names = constraint_->requests;
  if (names.empty() || std::ranges::count(names, request) > 0) return true;
  return !alternative.empty() && std::ranges::count(names, request + "/" + alternative) > 0;
}

bool ConstraintState::add(const std::string& request, const std::string& alternative,
                          const Device& device) {
  if (!applies(request, alternative)) return true;
  const cel::Attribute* value = find_attribute(device, constraint_->attribute);
  if (value == nullptr) return false;
  if (!values_.empty()) {
    if (!is_single(*value)) return false;
    const auto is_same = [&](const cel::Attribute* other) { return *other == *value; };
    const bool fits = constraint_->is_distinct ? std::ranges::none_of(values_, is_same)
                                               : is_same(values_.front());
    if (!fits) return false;
  }
  values_.push_back(value);
  return true;
}

void ConstraintState::remove(const std::string& request, const std::string& alternative) {
  if (applies(request, alternative)) values_.pop_back();
}

}  // namespace gpulint::dra
