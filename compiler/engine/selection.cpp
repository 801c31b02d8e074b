#include "compiler/engine/selection.h"

#include <algorithm>

namespace gpulint {
namespace {

[[nodiscard]] bool any_names(const std::vector<std::string>& names, const RuleInfo& rule) {
  return std::ranges::any_of(names, [&](const auto& name) { return names_rule(name, rule); });
}

}  // namespace

bool names_rule(std::string_view name, const RuleInfo& rule) {
  return name == rule.id || name == rule.category;
}

bool Selection::enabled(const RuleInfo& rule) const {
  return (select.empty() || any_names(select, rule)) && !any_names(ignore, rule);
}

Severity Selection::severity(const RuleInfo& rule, Severity own) const {
  if (const auto by_id = severities.find(rule.id); by_id != severities.end()) return by_id->second;
  const auto by_category = severities.find(rule.category);
  return by_category == severities.end() ? own : by_category->second;
}

}  // namespace gpulint
