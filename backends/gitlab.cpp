#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "backends/emitters.h"
#include "backends/fingerprint.h"
#include "backends/snippet.h"
#include "backends/stream_origin.h"
#include "backends/unicode.h"
#include "backends/uri.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

/// Of info, minor, major, critical and blocker (docs.gitlab.com, "Code Quality report format").
[[nodiscard]] std::string_view severity_of(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "info";
    case Severity::warning:
      return "minor";
    case Severity::error:
      return "major";
  }
  return "info";
}

[[nodiscard]] Json place_json(Position position) {
  return {{"line", position.line}, {"column", position.column}};
}

/// Relative to the work tree, even with `..`: GitLab rejects absolute paths.
[[nodiscard]] std::string work_tree_path(const Run& run, std::string_view path) {
  const std::filesystem::path known = repository_path(run, path);
  if (known.is_relative() || run.root.empty()) return known.generic_string();
  return known.lexically_relative(run.root).generic_string();
}

[[nodiscard]] Json issue_json(const Run& run, const Diagnostic& diagnostic,
                              const std::string& fingerprint) {
  const SourceFile& file = run.sources.file(diagnostic.span);
  const Position begin = file.position(diagnostic.span.begin);
  const Position end = file.position(without_trailing_blanks(file, diagnostic.span).end);
  return {{"description", message_with_origin(run, diagnostic)},
          {"check_name", diagnostic.rule->id},
          {"fingerprint", fingerprint},
          {"severity", severity_of(diagnostic.severity)},
          {"location",
           {{"path", work_tree_path(run, file.path())},
            {"lines", {{"begin", begin.line}, {"end", end.line}}},
            {"positions", {{"begin", place_json(begin)}, {"end", place_json(end)}}}}}};
}

}  // namespace

void emit_gitlab(const Run& run, std::ostream& out) {
  const std::vector<std::string> fingerprints = stable_fingerprints(run);
  Json issues = Json::array();
  for (std::size_t i = 0; i < run.diagnostics.size(); ++i) {
    issues.push_back(issue_json(run, run.diagnostics[i], fingerprints[i]));
  }
  out << escape_hidden(issues.dump(2, ' ', false, Json::error_handler_t::replace)) << '\n';
}

}  // namespace gpulint
