#include "compiler/engine/selection.h"

#include <algorithm>

#include "compiler/base/text.h"

namespace gpulint {
namespace {

[[nodiscard]] bool any_names(const std::vector<std::string>& names, const RuleInfo& rule) {
  return std::ranges::any_of(names, [&](const auto& name) { return names_rule(name, rule); });
}

}  // namespace

bool names_rule(std::string_view name, const RuleInfo& rule) {
  if (name == rule.id || name == rule.category) return true;
  std::string_view aliases = rule.aliases;
  while (!aliases.empty()) {
    if (take_part(aliases, ' ') == name) return true;
  }
  return false;
}

std::vector<std::string_view> names_of(const RuleInfo& rule) {
  std::vector<std::string_view> names{rule.id};
  for (const std::string_view alias : aliases_of(rule)) names.push_back(alias);
  names.push_back(rule.category);
  return names;
}

std::vector<std::string_view> aliases_of(const RuleInfo& rule) {
  return rule.aliases.empty() ? std::vector<std::string_view>{} : split(rule.aliases, ' ');
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
