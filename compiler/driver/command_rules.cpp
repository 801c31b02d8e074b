#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "backends/rule_docs.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/errors.h"
#include "compiler/driver/outputs.h"
#include "compiler/driver/report.h"
#include "compiler/driver/terminal.h"
#include "compiler/engine/selection.h"
#include "compiler/pipeline.h"
#include "compiler/project/write_file.h"

namespace gpulint {
namespace {

enum class Detail : std::uint8_t { table, documentation };

[[nodiscard]] std::string render(const std::vector<RuleText>& rules, Detail detail,
                                 const std::string& format, const Presentation& presentation) {
  std::ostringstream out;
  if (format == "markdown" && detail == Detail::table) {
    write_rule_index(rules, out);
  } else if (format == "markdown") {
    for (const RuleText& rule : rules) write_rule_page(rule, out);
  } else if (format == "json") {
    detail == Detail::table ? write_rule_table_json(rules, out) : write_rules_json(rules, out);
  } else if (detail == Detail::table) {
    write_rule_table(rules, presentation, out);
  } else {
    write_rules(rules, presentation, out);
  }
  return std::move(out).str();
}

[[nodiscard]] int write(const std::vector<RuleText>& rules, Detail detail, const Options& options) {
  std::vector<FormatRequest> requests = options.formats;
  if (requests.empty()) requests.push_back({"text", ""});
  for (const FormatRequest& request : requests) {
    if (request.name != "text" && request.name != "json" && request.name != "markdown") {
      static constexpr std::array<std::string_view, 3> names{"text", "json", "markdown"};
      return refuse(unknown_format(request.name, names));
    }
    const std::string& file = options.formats.empty() ? options.output : request.file;
    const Presentation presentation = {
        .color = file.empty() ? wants_color(options.color) : options.color == When::always,
        .width = file.empty() ? terminal_width() : 0};
    const std::string text = render(rules, detail, request.name, presentation);
    if (file.empty()) {
      print_paged(text);
      if (!std::cout) return refuse({"standard output cannot be written"});
    } else if (const auto error = write_file(file, text)) {
      return refuse({fmt::format("{}: {}", file, error->message)});
    }
  }
  return 0;
}

}  // namespace

int run_rules(const Options& options) {
  const std::vector<RuleText> all = rule_texts();
  if (options.paths.empty()) return write(all, Detail::table, options);
  for (const std::string& name : options.paths) {
    if (const auto error = refuse_rule_name(name, {})) return refuse(*error);
  }
  std::vector<RuleText> wanted;
  std::ranges::copy_if(all, std::back_inserter(wanted), [&](const RuleText& rule) {
    return std::ranges::any_of(
        options.paths, [&](const std::string& name) { return names_rule(name, *rule.info); });
  });
  return write(wanted, options.command == Command::rules ? Detail::table : Detail::documentation,
               options);
}

}  // namespace gpulint
