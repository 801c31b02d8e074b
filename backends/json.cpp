#include <algorithm>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "backends/emitters.h"
#include "backends/place_json.h"
#include "backends/stream_origin.h"
#include "backends/unicode.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

/// Only of streams that tell what they were made of.
void put_origin(const Run& run, Span place, Json& object) {
  const std::string_view file = origin_of(run, place);
  if (!file.empty()) object["origin"] = {{"file", file}};
}

[[nodiscard]] Json related_json(const Run& run, const std::vector<Label>& labels) {
  Json related = Json::array();
  for (const Label& label : labels) {
    const SourceFile& file = run.sources.file(label.span);
    Json place = {
        {"file", file.path()}, {"range", range_json(file, label.span)}, {"message", label.message}};
    put_origin(run, label.span, place);
    related.push_back(std::move(place));
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
  Json json = {{"id", diagnostic.rule->id},
               {"category", diagnostic.rule->category},
               {"severity", to_string(diagnostic.severity)},
               {"message", diagnostic.message},
               {"file", file.path()},
               {"range", range_json(file, diagnostic.span)},
               {"path", diagnostic.path},
               {"related", related_json(run, diagnostic.related)},
               {"help", diagnostic.help.empty() ? Json(nullptr) : Json(diagnostic.help)},
               {"fix", fix_json(run, diagnostic.fix)}};
  put_origin(run, diagnostic.span, json);
  return json;
}

[[nodiscard]] Json summary_json(const Summary& summary) {
  return {{"files", summary.files},
          {"documents", summary.documents},
          {"errors", summary.errors},
          {"warnings", summary.warnings},
          {"infos", summary.infos}};
}

/// The value as it stands so many blanks deep in another one.
void write_indented(const Json& value, std::size_t blanks, std::ostream& out) {
  const std::string text = escape_hidden(value.dump(2, ' ', false, Json::error_handler_t::replace));
  const std::string indentation(blanks, ' ');
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
    out << rest.substr(0, end);
    rest.remove_prefix(end);
    if (!rest.empty()) out << indentation;
  }
}

[[nodiscard]] Json read_json(const ReadSummary& read) {
  Json not_read = Json::array();
  for (const UnreadFile& file : read.not_read) {
    not_read.push_back({{"file", file.file}, {"why", file.why}});
  }
  Json joins = Json::array();
  for (const JoinedFiles& joined : read.joins) {
    joins.push_back({{"files", joined.files}, {"because", joined.because}});
  }
  return {{"nodes", read.nodes},
          {"pools", read.pools},
          {"releases", read.releases},
          {"workloads", read.workloads},
          {"tasks", read.tasks},
          {"assumedTasks", read.assumed_tasks},
          {"notRead", std::move(not_read)},
          {"joins", std::move(joins)}};
}

[[nodiscard]] Json statistics_json(const std::vector<Diagnostic>& diagnostics) {
  Json json = Json::array();
  for (const RuleStatistics& count : statistics_of(diagnostics)) {
    json.push_back({{"id", count.rule->id},
                    {"severity", to_string(count.severity)},
                    {"findings", count.findings},
                    {"fixable", count.fixable}});
  }
  return json;
}

[[nodiscard]] Json errors_json(const std::vector<RunError>& errors) {
  Json json = Json::array();
  for (const RunError& error : errors) {
    json.push_back({{"file", error.file.empty() ? Json(nullptr) : Json(error.file)},
                    {"message", error.message}});
  }
  return json;
}

}  // namespace

void emit_jsonl(const Run& run, std::ostream& out) {
  for (const Diagnostic& diagnostic : run.diagnostics) {
    const Json json = diagnostic_json(run, diagnostic);
    out << escape_hidden(json.dump(-1, ' ', false, Json::error_handler_t::replace)) << '\n';
  }
}

/// One finding at a time: all of them as values would take ten times the memory of their text.
void emit_json(const Run& run, std::ostream& out) {
  out << "{\n  \"version\": 1,\n  \"tool\": \"gpulint\",\n  \"diagnostics\": [";
  std::string_view before = "\n    ";
  for (const Diagnostic& diagnostic : run.diagnostics) {
    out << before;
    write_indented(diagnostic_json(run, diagnostic), 4, out);
    before = ",\n    ";
  }
  out << (run.diagnostics.empty() ? "]" : "\n  ]") << ",\n  \"summary\": ";
  write_indented(summary_json(run.summary), 2, out);
  if (run.wants_statistics) {
    out << ",\n  \"statistics\": ";
    write_indented(statistics_json(run.diagnostics), 2, out);
  }
  out << ",\n  \"read\": ";
  write_indented(read_json(run.read), 2, out);
  out << ",\n  \"errors\": ";
  write_indented(errors_json(run.errors), 2, out);
  out << "\n}\n";
}

}  // namespace gpulint
