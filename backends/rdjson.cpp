#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backends/emitters.h"
#include "backends/rule_docs.h"
#include "backends/snippet.h"
#include "backends/stream_origin.h"
#include "backends/unicode.h"
#include "backends/uri.h"

// Reviewdog Diagnostic Format (reviewdog 0.20, proto/rdf/reviewdog.proto): columns count bytes.

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

[[nodiscard]] std::string_view review_severity(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "INFO";
    case Severity::warning:
      return "WARNING";
    case Severity::error:
      return "ERROR";
  }
  return "INFO";
}

[[nodiscard]] Json byte_place_json(const SourceFile& file, std::uint32_t offset) {
  if (!file.has_lines()) return {{"line", 1}, {"column", 1}};
  const std::uint32_t line = file.position(offset).line;
  return {{"line", line}, {"column", offset - file.line_start(line) + 1}};
}

[[nodiscard]] Json byte_range_json(const SourceFile& file, Span span) {
  return {{"start", byte_place_json(file, span.begin)}, {"end", byte_place_json(file, span.end)}};
}

/// Each suggestion is applied alone there, so a fix with several edits cannot be one.
[[nodiscard]] bool is_one_suggestion(const Diagnostic& diagnostic) {
  return diagnostic.fix && diagnostic.fix->edits.size() == 1 &&
         diagnostic.fix->edits.front().span.file == diagnostic.span.file;
}

/// The user's own policies have no page.
[[nodiscard]] bool has_page(const Run& run, const RuleInfo& rule) {
  return std::ranges::any_of(run.rules, [&](const RuleText& text) {
    return text.info->id == rule.id && !text.documentation.empty();
  });
}

[[nodiscard]] Json rule_code_json(const Run& run, const RuleInfo& rule) {
  Json code = {{"value", rule.id}};
  if (!run.homepage.empty() && has_page(run, rule)) {
    code["url"] = rule_page_url(run.homepage, rule.id);
  }
  return code;
}

[[nodiscard]] Json reviewed_json(const Run& run, const Diagnostic& diagnostic) {
  const SourceFile& file = run.sources.file(diagnostic.span);
  std::string message = message_with_origin(run, diagnostic);
  if (!diagnostic.help.empty()) message += "\nhelp: " + diagnostic.help;
  Json json = {{"message", message},
               {"location",
                {{"path", repository_path(run, file.path())},
                 {"range", byte_range_json(file, without_trailing_blanks(file, diagnostic.span))}}},
               {"severity", review_severity(diagnostic.severity)},
               {"code", rule_code_json(run, *diagnostic.rule)}};
  if (is_one_suggestion(diagnostic)) {
    const Edit& edit = diagnostic.fix->edits.front();
    json["suggestions"] =
        Json::array({{{"range", byte_range_json(file, edit.span)}, {"text", edit.text}}});
  }
  return json;
}

}  // namespace

void emit_rdjson(const Run& run, std::ostream& out) {
  Json source = {{"name", "gpulint"}};
  if (!run.homepage.empty()) source["url"] = run.homepage;
  Json diagnostics = Json::array();
  for (const Diagnostic& diagnostic : run.diagnostics) {
    diagnostics.push_back(reviewed_json(run, diagnostic));
  }
  const Json document = {{"source", std::move(source)}, {"diagnostics", std::move(diagnostics)}};
  out << escape_hidden(document.dump(2, ' ', false, Json::error_handler_t::replace)) << '\n';
}

}  // namespace gpulint
