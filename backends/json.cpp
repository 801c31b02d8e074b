#include <nlohmann/json.hpp>

#include "backends/emitters.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

[[nodiscard]] Json place_json(const SourceFile& file, std::uint32_t offset) {
  const Position at = file.position(offset);
  return {{"line", at.line}, {"column", at.column}, {"offset", offset}};
}

[[nodiscard]] Json range_json(const SourceFile& file, Span span) {
  return {{"start", place_json(file, span.begin)}, {"end", place_json(file, span.end)}};
}

[[nodiscard]] Json related_json(const Run& run, const std::vector<Label>& labels) {
  Json related = Json::array();
  for (const Label& label : labels) {
    const SourceFile& file = run.sources.file(label.span);
    related.push_back({{"file", file.path()},
                       {"range", range_json(file, label.span)},
                       {"message", label.message}});
  }
  return related;
}

[[nodiscard]] Json fix_json(const Run& run, const std::optional<Fix>& fix) {
  if (!fix.has_value()) return nullptr;
  Json edits = Json::array();
  for (const Edit& edit : fix->edits) {
    edits.push_back({{"file", run.sources.file(edit.span).path()},
                     {"start", edit.span.begin},
                     {"end", edit.span.end},
                     {"text", edit.text}});
  }
  return {{"safety", to_string(fix->safety)}, {"title", fix->title}, {"edits", std::move(edits)}};
}

[[nodiscard]] Json diagnostic_json(const Run& run, const Diagnostic& diagnostic) {
  const SourceFile& file = run.sources.file(diagnostic.span);
  return {{"id", diagnostic.rule->id},
          {"category", diagnostic.rule->category},
          {"severity", to_string(diagnostic.severity)},
          {"message", diagnostic.message},
          {"file", file.path()},
          {"range", range_json(file, diagnostic.span)},
          {"path", diagnostic.path},
          {"related", related_json(run, diagnostic.related)},
          {"help", diagnostic.help.empty() ? Json(nullptr) : Json(diagnostic.help)},
          {"fix", fix_json(run, diagnostic.fix)}};
}

}  // namespace

void emit_json(const Run& run, std::ostream& out) {
  Json diagnostics = Json::array();
  for (const Diagnostic& diagnostic : run.diagnostics) {
    diagnostics.push_back(diagnostic_json(run, diagnostic));
  }
  const Json document = {{"version", 1},
                         {"tool", "gpulint"},
                         {"diagnostics", std::move(diagnostics)},
                         {"summary",
                          {{"files", run.summary.files},
                           {"documents", run.summary.documents},
                           {"errors", run.summary.errors},
                           {"warnings", run.summary.warnings},
                           {"infos", run.summary.infos}}}};
  out << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace gpulint
