#pragma once

#include <ostream>
#include <span>
#include <string>

#include "backends/backend.h"

namespace gpulint {

/// `gpulint rules`: a table grouped by category.
void write_rule_table(std::span<const RuleText> rules, const Presentation& presentation,
                      std::ostream& out);
/// `gpulint rules --format json`.
void write_rule_table_json(std::span<const RuleText> rules, std::ostream& out);
/// `gpulint rules --format markdown`: the catalogue, one section a rule.
void write_rule_catalogue(std::span<const RuleText> rules, std::ostream& out);

/// `gpulint rule ID…`: the documentation, drawn for a terminal.
void write_rules(std::span<const RuleText> rules, const Presentation& presentation,
                 std::ostream& out);
/// `gpulint rule ID… --format json`: like the table's, with the documentation as Markdown.
void write_rules_json(std::span<const RuleText> rules, std::ostream& out);

}  // namespace gpulint
