#pragma once

#include <cstddef>
#include <map>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"

namespace gpulint {

/// The rules of findings: first those of the run, then those that only its findings refer to
/// (policies), each sorted by id.
class RuleTable {
 public:
  explicit RuleTable(const Run& run);
  [[nodiscard]] const std::vector<RuleText>& all() const { return rules_; }
  /// Position in all(); the id must occur there.
  [[nodiscard]] std::size_t index_of(std::string_view id) const { return index_.at(id); }

 private:
  void add(const RuleText& rule);

  std::vector<RuleText> rules_;
  std::map<std::string_view, std::size_t> index_;
};

/// The texts about a rule in a log, cut to the lengths that GitHub accepts.
struct RuleProse {
  std::string name;  ///< The id as UpperCamelCase.
  std::string summary;
  std::string description;  ///< Why it matters; the summary if the documentation does not say.
  std::string help;         ///< The documentation as plain text.
  std::string markdown;     ///< The documentation, unchanged.
};

[[nodiscard]] RuleProse rule_prose(const RuleText& rule);

/// `gpulint rules`: a table grouped by category.
void write_rule_table(std::span<const RuleText> rules, const Presentation& presentation,
                      std::ostream& out);

/// `gpulint rules --format json`.
void write_rule_table_json(std::span<const RuleText> rules, std::ostream& out);

/// The address of a rule's page in a repository at `homepage` (not empty).
[[nodiscard]] std::string rule_page_url(std::string_view homepage, std::string_view id);

/// `gpulint rules --format markdown`: the list by category, with links to `rules/<id>.md`.
void write_rule_index(std::span<const RuleText> rules, std::ostream& out);

/// `gpulint rule ID --format markdown`: the page of one rule.
void write_rule_page(const RuleText& rule, std::ostream& out);

/// `gpulint rule ID…`: the documentation, formatted for a terminal.
void write_rules(std::span<const RuleText> rules, const Presentation& presentation,
                 std::ostream& out);

/// `gpulint rule ID… --format json`: like the table's JSON, with the documentation as Markdown.
void write_rules_json(std::span<const RuleText> rules, std::ostream& out);

}  // namespace gpulint
