#include "backends/rule_table.h"

#include <set>

#include "backends/markdown.h"
#include "backends/unicode.h"
#include "compiler/base/text.h"

namespace gpulint {
namespace {

constexpr std::size_t longest_description = 1024;

[[nodiscard]] bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

[[nodiscard]] std::string upper_camel_case(std::string_view id) {
  std::string name;
  bool starts_word = true;
  for (const char c : id) {
    if (is_alphanumeric(c)) {
      name.push_back(starts_word && is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c);
    }
    starts_word = !is_alphanumeric(c);
  }
  return name.empty() ? "Rule" : shorten(name, 255);
}

}  // namespace

RuleTable::RuleTable(const Run& run) {
  std::set<std::string_view> found;
  for (const Diagnostic& diagnostic : run.diagnostics) found.insert(diagnostic.rule->id);
  for (const RuleText& rule : run.rules) {
    if (found.contains(rule.info->id)) add(rule);
  }
  for (const Diagnostic& diagnostic : run.diagnostics) add({diagnostic.rule, ""});
}

void RuleTable::add(const RuleText& rule) {
  if (index_.emplace(rule.info->id, rules_.size()).second) rules_.push_back(rule);
}

RuleProse rule_prose(const RuleText& rule) {
  const std::string summary = shorten(rule.info->summary, longest_description);
  const std::string why =
      shorten(markdown_section(rule.documentation, "Why it matters"), longest_description);
  const bool documented = !rule.documentation.empty();
  return {.name = upper_camel_case(rule.info->id),
          .summary = summary,
          .description = why.empty() ? summary : why,
          .help = documented ? markdown_for_terminal(rule.documentation, {}) : summary,
          .markdown = documented ? without_test_flags(rule.documentation) : summary};
}

}  // namespace gpulint
