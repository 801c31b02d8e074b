#include "compiler/engine/selection.h"

#include <algorithm>

#include "compiler/base/text.h"

namespace gpulint {
namespace {

[[nodiscard]] bool any_names(const std::vector<std::string>& names, const RuleInfo& rule) {
  return std::ranges::any_of(names, [&](const auto& name) { return names_rule(name, rule); });
}

}  // namespace

std::vector<std::string_view> aliases_of(const RuleInfo& rule) {
  return rule.aliases.empty() ? std::vector<std::string_view>{} : split(rule.aliases, ' ');
}

bool is_id_of(std::string_view name, const RuleInfo& rule) {
  return name == rule.id || std::ranges::count(aliases_of(rule), name) > 0;
}

bool names_rule(std::string_view name, const RuleInfo& rule) {
  return name == rule.category || is_id_of(name, rule);
}

std::vector<std::string_view> names_of(const RuleInfo& rule) {
  std::vector<std::string_view> names = aliases_of(rule);
  names.insert(names.begin(), rule.id);
  names.push_back(rule.category);
  return names;
}

bool Selection::enabled(const RuleInfo& rule) const {
  if (rule.state == RuleState::preview && !preview) return false;
  return (select.empty() || any_names(select, rule)) && !any_names(ignore, rule);
}

Severity Selection::severity(const RuleInfo& rule, Severity own) const {
  if (severities.empty()) return own;
  for (const std::string_view name : names_of(rule)) {
    if (const auto found = severities.find(name); found != severities.end()) return found->second;
  }
  return own;
}

}  // namespace gpulint
