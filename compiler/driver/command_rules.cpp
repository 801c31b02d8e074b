#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "backends/rule_docs.h"
#include "compiler/base/text.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/report.h"
#include "compiler/driver/terminal.h"
#include "compiler/driver/write_file.h"

namespace gpulint {
namespace {

/// The rules that are named, in the order of the table; an Error where a name is none.
[[nodiscard]] Result<std::vector<RuleText>> find_rules(const std::vector<std::string>& names) {
  const std::vector<RuleText> all = rule_texts();
  std::vector<RuleText> found;
  for (const std::string& name : names) {
    const auto at =
        std::ranges::find(all, name, [](const RuleText& rule) { return rule.info->id; });
    if (at != all.end()) {
      found.push_back(*at);
      continue;
    }
    std::vector<std::string_view> ids;
    for (const RuleText& rule : all) ids.push_back(rule.info->id);
    const auto suggestion = nearest(name, ids);
    return Error{fmt::format("unknown rule `{}`; {}", name,
                             suggestion ? fmt::format("did you mean `{}`?", *suggestion)
                                        : "`gpulint rules` lists them")};
  }
  return found;
}

[[nodiscard]] int print(const Options& options, const std::string& text) {
  if (options.output.empty()) {
    std::cout << text;
    return 0;
  }
  const auto error = write_file(options.output, text);
  return error ? refuse(*error) : 0;
}

}  // namespace

int run_rules(const Options& options) {
  const std::string format = options.formats.empty() ? "text" : options.formats.front().name;
  const Presentation presentation{.color = wants_color(options.color),
                                  .hyperlinks = false,
                                  .summary = false,
                                  .width = terminal_width()};
  std::ostringstream out;
  if (options.paths.empty()) {
    const std::vector<RuleText> rules = rule_texts();
    if (format == "json") {
      write_rule_table_json(rules, out);
    } else if (format == "markdown") {
      write_rule_catalogue(rules, out);
    } else if (format == "text") {
      write_rule_table(rules, presentation, out);
    } else {
      return refuse(
          Error{fmt::format("unknown format `{}`; there are text, json, markdown", format)});
    }
    return print(options, out.str());
  }
  const Result<std::vector<RuleText>> rules = find_rules(options.paths);
  if (!rules.ok()) return refuse(rules.error());
  if (format == "json") {
    write_rules_json(rules.value(), out);
  } else {
    write_rules(rules.value(), presentation, out);
  }
  return print(options, out.str());
}

}  // namespace gpulint
