#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "backends/emitters.h"
#include "backends/rule_docs.h"
#include "backends/snippet.h"
#include "backends/stream_origin.h"
#include "backends/unicode.h"
#include "backends/uri.h"

// Generic issue import format of SonarQube 10.3 and later (docs.sonarsource.com): columns count
// UTF-16 units from 0, a range is not empty.

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

[[nodiscard]] std::string_view impact_of(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "LOW";
    case Severity::warning:
      return "MEDIUM";
    case Severity::error:
      return "HIGH";
  }
  return "LOW";
}

/// UTF-16 units before an offset in its line; a byte order mark at the file's start does not count.
[[nodiscard]] std::size_t utf16_column(const SourceFile& file, std::uint32_t offset) {
  const std::uint32_t begin = file.line_start(file.position(offset).line);
  std::string_view rest = file.text().substr(begin, offset - begin);
  if (begin == 0 && rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  std::size_t units = 0;
  while (!rest.empty()) {
    const CodePoint c = decode_code_point(rest);
    units += c.size == 4 ? 2 : 1;
    rest.remove_prefix(c.size);
  }
  return units;
}

[[nodiscard]] Json text_range_json(const SourceFile& file, Span span) {
  const Span shown = without_trailing_blanks(file, span);
  const std::uint32_t line = file.position(shown.begin).line;
  if (shown.empty()) return {{"startLine", line}};
  return {{"startLine", line},
          {"endLine", file.position(shown.end).line},
          {"startColumn", utf16_column(file, shown.begin)},
          {"endColumn", utf16_column(file, shown.end)}};
}

[[nodiscard]] Json place_json(const Run& run, Span span, const std::string& message) {
  const SourceFile& file = run.sources.file(span);
  Json place = {{"message", message}, {"filePath", repository_path(run, file.path())}};
  if (file.has_lines()) place["textRange"] = text_range_json(file, span);
  return place;
}

[[nodiscard]] Json sonar_rule_json(const RuleText& rule) {
  const RuleProse prose = rule_prose(rule);
  return {{"id", rule.info->id},
          {"name", rule.info->id},
          {"description", prose.description},
          {"engineId", "gpulint"},
          {"cleanCodeAttribute", "LOGICAL"},
          {"impacts", Json::array({{{"softwareQuality", "RELIABILITY"},
                                    {"severity", impact_of(rule.info->severity)}}})}};
}

[[nodiscard]] Json sonar_issue_json(const Run& run, const Diagnostic& diagnostic) {
  Json issue = {
      {"ruleId", diagnostic.rule->id},
      {"primaryLocation", place_json(run, diagnostic.span, message_with_origin(run, diagnostic))}};
  Json others = Json::array();
  for (const Label& label : diagnostic.related) {
    others.push_back(place_json(run, label.span, label.message + origin_note(run, label.span)));
  }
  if (!others.empty()) issue["secondaryLocations"] = std::move(others);
  return issue;
}

}  // namespace

void emit_sonar(const Run& run, std::ostream& out) {
  Json rules = Json::array();
  const RuleTable table(run);
  for (const RuleText& rule : table.all()) rules.push_back(sonar_rule_json(rule));
  Json issues = Json::array();
  for (const Diagnostic& diagnostic : run.diagnostics) {
    issues.push_back(sonar_issue_json(run, diagnostic));
  }
  const Json document = {{"rules", std::move(rules)}, {"issues", std::move(issues)}};
  out << escape_hidden(document.dump(2, ' ', false, Json::error_handler_t::replace)) << '\n';
}

}  // namespace gpulint
