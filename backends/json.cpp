#include "backends/json.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "backends/emitters.h"
#include "backends/stream_origin.h"
#include "backends/unicode.h"
#include "backends/unified_diff.h"
#include "backends/why_output.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

/// Only for streams that say what they were made of.
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

[[nodiscard]] Json summary_json(const Summary& summary) {
  return {{"files", summary.files},
          {"documents", summary.documents},
          {"errors", summary.errors},
          {"warnings", summary.warnings},
          {"infos", summary.infos}};
}

/// The value, indented by so many blanks inside another one.
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

using Json = nlohmann::ordered_json;

[[nodiscard]] Json position_json(const SourceFile& file, std::uint32_t offset) {
  const Position at = file.position(offset);
  return {{"line", at.line}, {"column", at.column}, {"offset", file.has_lines() ? offset : 0}};
}

using Json = nlohmann::ordered_json;

[[nodiscard]] std::string_view kind_text(why::Origin::Kind kind) {
  using Kind = why::Origin::Kind;
  switch (kind) {
    case Kind::manifest:
      return "manifest";
    case Kind::configuration:
      return "configuration";
    case Kind::flyte_default:
      return "flyte-default";
    case Kind::task:
      return "task";
  }
  return {};
}

/// A place and its content; `file` is null if it is built in or from the command line.
[[nodiscard]] Json origin_json(const why::Origin& origin, const SourceSet& sources) {
  Json json = node_place_json(origin.node, sources);
  if (json.is_null()) json = {{"file", nullptr}, {"range", nullptr}};
  json["from"] = kind_text(origin.kind);
  if (!origin.key.empty()) json["key"] = origin.key;
  return json;
}

[[nodiscard]] Json term_json(const why::FailedTerm& failed, const SourceSet& sources) {
  const Term& term = failed.term;
  Json json = {{"kind", to_string(term.kind)},
               {"key", term.key},
               {"operator", term.op},
               {"values", term.values},
               {"actual", term.actual ? Json(*term.actual) : Json()},
               {"demandedBy", origin_json(failed.origin, sources)},
               {"node", node_place_json(term.found, sources)}};
  if (term.holds == Ternary::unknown) json["certain"] = false;
  if (!failed.remark.empty()) json["remark"] = failed.remark;
  return json;
}

[[nodiscard]] Json names_json(const std::vector<const NodePool*>& pools) {
  Json names = Json::array();
  for (const NodePool* pool : pools) names.push_back(pool->name);
  return names;
}

[[nodiscard]] Json group_json(const why::Group& group, const SourceSet& sources) {
  Json terms = Json::array();
  for (const why::FailedTerm& failed : group.terms) terms.push_back(term_json(failed, sources));
  Json json = {{"nodes", names_json(group.pools)}, {"terms", std::move(terms)}};
  if (group.is_open) json["fits"] = nullptr;
  if (group.lacks_device) json["lacksDevice"] = true;
  return json;
}

[[nodiscard]] Json edit_json(const std::string& path, const TextEdit& edit) {
  return {{"file", path}, {"start", edit.begin}, {"end", edit.end}, {"text", edit.text}};
}

[[nodiscard]] Json change_json(const why::FileChange& change) {
  Json edits = Json::array();
  Json rendered = Json::array();
  std::string diff;
  for (const auto& [path, file] : change.files) {
    edits.push_back(edit_json(path, smallest_edit(file.before, file.after)));
    diff += unified_diff(file.name, file.before, file.after);
    if (file.is_rendered) rendered.push_back(path);
  }
  return {{"title", change.title},
          {"certain", change.is_certain},
          {"edits", std::move(edits)},
          {"diff", diff},
          {"rendered", std::move(rendered)}};
}

[[nodiscard]] Json ways_json(const std::vector<why::Way>& ways) {
  Json list = Json::array();
  for (const why::Way& way : ways) {
    Json json = {{"title", way.title}, {"commands", way.commands}};
    if (!way.remark.empty()) json["remark"] = way.remark;
    list.push_back(std::move(json));
  }
  return list;
}

[[nodiscard]] std::string_view standing_text(why::Standing standing) {
  switch (standing) {
    case why::Standing::explained:
      return "explained";
    case why::Standing::unexplained:
      return "unexplained";
    case why::Standing::beyond:
      return "beyond-files";
  }
  return {};
}

[[nodiscard]] Json text_or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

[[nodiscard]] Json claim_json(const why::EventStory& story, const why::CheckedClaim& checked,
                              const WhyOutput& output) {
  const events::Event& event = story.event;
  const events::Claim& claim = checked.claim;
  Json json = {{"kind", to_string(claim.kind)},
               {"speaker", to_string(event.speaker)},
               {"pod", text_or_null(event.subject.name)},
               {"namespace", text_or_null(event.subject.name_space)},
               {"workload", text_or_null(story.workload)},
               {"count", claim.count ? Json(*claim.count) : Json()},
               {"total", event.total ? Json(*event.total) : Json()},
               {"key", text_or_null(claim.key)},
               {"value", text_or_null(claim.value)},
               {"pool", text_or_null(claim.pool)},
               {"text", claim.text}};
  if (output.is_event_given) {
    json["start"] = claim.begin;
    json["end"] = claim.end;
  }
  json["standing"] = standing_text(checked.standing);
  json["finding"] = checked.finding;
  json["place"] = node_place_json(checked.found, output.sources);
  json["command"] = text_or_null(checked.command);
  return json;
}

[[nodiscard]] Json event_json(const WhyOutput& output) {
  Json claims = Json::array();
  Json unexplained = Json::array();
  for (const why::EventStory& story : *output.events) {
    if (!story.total.empty()) {
      unexplained.push_back({{"text", story.event.text.substr(0, story.event.text.find(':'))},
                             {"why", story.total},
                             {"command", text_or_null(story.command)}});
    }
    for (const why::CheckedClaim& checked : story.claims) {
      claims.push_back(claim_json(story, checked, output));
      if (checked.standing != why::Standing::unexplained) continue;
      unexplained.push_back({{"text", checked.claim.text},
                             {"why", checked.finding},
                             {"command", text_or_null(checked.command)}});
    }
  }
  return {{"text", output.event_text},
          {"claims", std::move(claims)},
          {"unexplained", std::move(unexplained)}};
}

[[nodiscard]] Json obstacles_json(const std::vector<Obstacle>& obstacles,
                                  const SourceSet& sources) {
  Json list = Json::array();
  for (const Obstacle& obstacle : obstacles) {
    Json found = Json::array();
    for (const Obstacle::Half& half : obstacle.others) {
      if (half.node) found.push_back(node_place_json(half.node, sources));
    }
    list.push_back({{"gate", to_string(obstacle.gate)},
                    {"certain", obstacle.certainty == Certainty::certain},
                    {"reason", obstacle.reason},
                    {"help", obstacle.advice},
                    {"demandedBy", node_place_json(obstacle.demand, sources)},
                    {"found", std::move(found)}});
  }
  return list;
}

}  // namespace

Json rendered_json(const RenderedPlace& place) {
  const auto object_json = [](const RenderedObject& object) {
    return Json{
        {"template", object.template_name}, {"object", object.object}, {"path", object.path}};
  };
  Json json = {{"chart", place.chart}};
  json.update(object_json(place.object));
  if (place.others.empty()) return json;
  Json others = Json::array();
  for (const RenderedObject& other : place.others) others.push_back(object_json(other));
  json["others"] = std::move(others);
  return json;
}

Json diagnostic_json(const Run& run, const Diagnostic& diagnostic) {
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
  if (diagnostic.rendered) {
    json["rendered"] = rendered_json(*diagnostic.rendered);
    json["decidedBy"] = to_string(diagnostic.rendered->decided_by);
  }
  return json;
}

void emit_jsonl(const Run& run, std::ostream& out) {
  for (const Diagnostic& diagnostic : run.diagnostics) {
    const Json json = diagnostic_json(run, diagnostic);
    out << escape_hidden(json.dump(-1, ' ', false, Json::error_handler_t::replace)) << '\n';
  }
}

/// One finding at a time: all values together would take ten times the memory of their text.
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

Json range_json(const SourceFile& file, Span span) {
  return {{"start", position_json(file, span.begin)}, {"end", position_json(file, span.end)}};
}

Json ternary_json(Ternary value) {
  return value == Ternary::unknown ? Json() : Json(value == Ternary::yes);
}

Json node_place_json(Node node, const SourceSet& sources) {
  if (!node) return nullptr;
  const Span span = sources.shown(node.written().key_span());
  const SourceFile& file = sources.file(span);
  return {{"file", file.path()}, {"range", range_json(file, span)}};
}

void put_term(const Term& term, Json& object) {
  if (term.key.empty()) return;
  object["key"] = term.key;
  if (!term.op.empty()) object["operator"] = term.op;
  object["values"] = term.values;
  object["actual"] = term.actual ? Json(*term.actual) : Json();
}

Json story_json(const why::Story& story, const SourceSet& sources) {
  Json groups = Json::array();
  for (const why::Group& group : story.groups) groups.push_back(group_json(group, sources));
  Json json = {{"workload", story.workload}};
  if (!story.task.empty()) json["task"] = story.task;
  if (!story.source.empty()) json["source"] = story.source;
  if (story.is_assumed) json["assumed"] = true;
  const bool is_open = story.refusals.empty() && story.obstacles.empty() && is_without_nodes(story);
  json["fits"] = is_open ? Json() : ternary_json(story.fits);
  if (!story.fitting.empty()) json["fitting"] = names_json(story.fitting);
  if (!story.refusals.empty()) json["refused"] = story.refusals;
  if (!story.obstacles.empty()) json["obstacles"] = obstacles_json(story.obstacles, sources);
  json["groups"] = std::move(groups);
  json["nearest"] = story.nearest == nullptr ? Json() : Json(story.nearest->name);
  json["change"] = story.change ? change_json(*story.change) : Json();
  if (!story.is_searched) json["searched"] = false;
  json["ways"] = ways_json(story.ways);
  json["cannot"] = story.cannot.empty() ? Json() : Json(story.cannot);
  return json;
}

void emit_why_json(const WhyOutput& output, std::ostream& out) {
  Json workloads = Json::array();
  for (const why::Story& story : output.stories) {
    workloads.push_back(story_json(story, output.sources));
  }
  Json document = {{"version", 1}};
  if (output.events != nullptr && !output.events->empty()) document["event"] = event_json(output);
  document["workloads"] = std::move(workloads);
  out << escape_hidden(document.dump(2, ' ', false, Json::error_handler_t::replace)) << '\n';
}

}  // namespace gpulint
