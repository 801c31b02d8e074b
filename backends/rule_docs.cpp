#include "backends/rule_docs.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "backends/ink.h"
#include "backends/markdown.h"
#include "backends/unicode.h"
#include "backends/uri.h"
#include "compiler/base/counted.h"
#include "compiler/base/text.h"
#include "compiler/engine/rule_policy.h"
#include "compiler/engine/selection.h"

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

using Json = nlohmann::ordered_json;

/// Categories in order of their first rule, each with its rules in the given order.
[[nodiscard]] std::vector<std::vector<RuleText>> group_by_category(
    std::span<const RuleText> rules) {
  std::vector<std::vector<RuleText>> groups;
  for (const RuleText& rule : rules) {
    const auto group = std::ranges::find_if(groups, [&](const std::vector<RuleText>& g) {
      return g.front().info->category == rule.info->category;
    });
    if (group == groups.end()) {
      groups.push_back({rule});
    } else {
      group->push_back(rule);
    }
  }
  return groups;
}

[[nodiscard]] std::string_view fix_text(FixAvailability fix) {
  return fix == FixAvailability::none ? "-" : to_string(fix);
}

/// How safe the fixes of the rule are. Its page has the conditions.
[[nodiscard]] std::string_view safety_text(const RuleText& rule) {
  const bool is_safe = rule.info->fix == FixAvailability::safe;
  const bool has_conditions = rule.documentation.find("unsafe") != std::string_view::npos;
  return is_safe && has_conditions ? "safe or unsafe" : to_string(rule.info->fix);
}

/// `-`: the rule is stable.
[[nodiscard]] std::string_view state_text(const RuleInfo& rule) {
  return rule.state == RuleState::stable ? "-" : to_string(rule.state);
}

[[nodiscard]] Json rule_json(const RuleText& rule) {
  return {{"id", rule.info->id},
          {"category", rule.info->category},
          {"severity", to_string(rule.info->severity)},
          {"fix", to_string(rule.info->fix)},
          {"state", to_string(rule.info->state)},
          {"aliases", aliases_of(*rule.info)},
          {"summary", rule.info->summary}};
}

void write_json(Json rules, std::ostream& out) {
  const Json document = {{"version", 1}, {"tool", "gpulint"}, {"rules", std::move(rules)}};
  out << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

/// Whether an API server can also check the rule; empty without policy.cel.
[[nodiscard]] std::string note_of(const RuleText& rule) {
  if (rule.policy.empty()) return {};
  return fmt::format("\n{}\n", policy_note(read_rule_policy(rule.policy)));
}

void write_title(const RuleText& text, const Presentation& presentation, std::ostream& out) {
  const RuleInfo& rule = *text.info;
  out << paint(Ink::strong, rule.id, presentation) << "  "
      << paint(ink_of(rule.severity), to_string(rule.severity), presentation)
      << fmt::format(
             "  {}  fix: {}{}\n", rule.category, safety_text(text),
             rule.state == RuleState::stable ? "" : fmt::format("  {}", to_string(rule.state)));
  if (!rule.aliases.empty()) out << fmt::format("earlier: {}\n", fmt::join(aliases_of(rule), ", "));
  out << '\n';
}

/// Categories in reading order; others follow in their own order.
[[nodiscard]] std::vector<std::vector<RuleText>> group_for_readers(
    std::span<const RuleText> rules) {
  static constexpr std::array<std::string_view, 8> order = {"reading",   "flyte",     "placement",
                                                            "partition", "resources", "deprecated",
                                                            "operators", "gpulint"};
  std::vector<std::vector<RuleText>> groups = group_by_category(rules);
  std::ranges::stable_sort(groups, {}, [](const std::vector<RuleText>& group) {
    return std::ranges::find(order, group.front().info->category) - order.begin();
  });
  return groups;
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

void write_rule_table(std::span<const RuleText> rules, const Presentation& presentation,
                      std::ostream& out) {
  std::size_t width = 0;
  for (const RuleText& rule : rules) width = std::max(width, rule.info->id.size());
  for (const std::vector<RuleText>& group : group_by_category(rules)) {
    out << paint(Ink::strong, group.front().info->category, presentation) << '\n';
    for (const RuleText& rule : group) {
      const std::string severity = fmt::format("{:<7}", to_string(rule.info->severity));
      out << fmt::format("  {:<{}}  {}  {:<6}  {:<7}  {}\n", rule.info->id, width,
                         paint(ink_of(rule.info->severity), severity, presentation),
                         fix_text(rule.info->fix), state_text(*rule.info), rule.info->summary);
    }
    out << '\n';
  }
  out << count_text(rules.size(), "rule")
      << "; columns: id, severity, fix, state, summary; `gpulint rule ID` explains one\n";
}

void write_rule_table_json(std::span<const RuleText> rules, std::ostream& out) {
  Json list = Json::array();
  for (const RuleText& rule : rules) list.push_back(rule_json(rule));
  write_json(std::move(list), out);
}

std::string rule_page_url(std::string_view homepage, std::string_view id) {
  return fmt::format("{}/blob/main/docs/reference/rules/{}.md", homepage, percent_encode(id));
}

void write_rule_index(std::span<const RuleText> rules, std::ostream& out) {
  out << "# Rules\n\n"
         "Each rule has a page: why it matters, a bad and a good example, how safe the fix is.\n"
         "`gpulint rule ID` prints the same page. "
         "`gpulint rules --format markdown` wrote this list.\n";
  for (const std::vector<RuleText>& group : group_for_readers(rules)) {
    out << fmt::format(
        "\n## {}\n\n| rule | severity | fix | state | what it finds |\n|---|---|---|---|---|\n",
        group.front().info->category);
    for (const RuleText& rule : group) {
      out << fmt::format("| [{0}](rules/{0}.md) | {1} | {2} | {3} | {4} |\n", rule.info->id,
                         to_string(rule.info->severity), fix_text(rule.info->fix),
                         state_text(*rule.info), rule.info->summary);
    }
  }
}

void write_rule_page(const RuleText& rule, std::ostream& out) {
  const RuleInfo& info = *rule.info;
  out << fmt::format("# {0}\n\nSeverity: {1}. Fix: {2}. Category: [{3}](../rules.md#{3}).", info.id,
                     to_string(info.severity), safety_text(rule), info.category)
      << (info.state == RuleState::preview ? " In preview: it runs only with `--preview`." : "")
      << (info.aliases.empty()
              ? ""
              : fmt::format(" Formerly `{}`.", fmt::join(aliases_of(info), "`, `")))
      << "\n\n"
      << without_test_flags(rule.documentation) << note_of(rule);
}

void write_rules(std::span<const RuleText> rules, const Presentation& presentation,
                 std::ostream& out) {
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (i > 0) out << '\n';
    write_title(rules[i], presentation, out);
    out << markdown_for_terminal(fmt::format("{}{}", rules[i].documentation, note_of(rules[i])),
                                 presentation);
  }
}

void write_rules_json(std::span<const RuleText> rules, std::ostream& out) {
  Json list = Json::array();
  for (const RuleText& rule : rules) {
    Json entry = rule_json(rule);
    entry["documentation"] = rule.documentation;
    if (!rule.policy.empty()) entry["policy"] = policy_note(read_rule_policy(rule.policy));
    list.push_back(std::move(entry));
  }
  write_json(std::move(list), out);
}

}  // namespace gpulint
