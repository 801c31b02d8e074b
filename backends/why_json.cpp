#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "backends/place_json.h"
#include "backends/unicode.h"
#include "backends/unified_diff.h"
#include "backends/why_output.h"

namespace gpulint {
namespace {

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

/// A place, and what is there; `file` is null of what is built in or was said on the command line.
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

[[nodiscard]] Json change_json(const why::Change& change) {
  Json edits = Json::array();
  Json rendered = Json::array();
  std::string diff;
  for (const auto& [path, file] : change.files) {
    edits.push_back(edit_json(path, smallest_edit(file.before, file.after)));
    diff += unified_diff(path, file.before, file.after);
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

[[nodiscard]] Json story_json(const why::Story& story, const SourceSet& sources) {
  Json groups = Json::array();
  for (const why::Group& group : story.groups) groups.push_back(group_json(group, sources));
  Json json = {{"workload", story.workload}};
  if (!story.task.empty()) json["task"] = story.task;
  if (!story.source.empty()) json["source"] = story.source;
  if (story.is_assumed) json["assumed"] = true;
  json["fits"] = ternary_json(story.fits);
  if (!story.fitting.empty()) json["fitting"] = names_json(story.fitting);
  if (!story.refusals.empty()) json["refused"] = story.refusals;
  json["groups"] = std::move(groups);
  json["nearest"] = story.nearest == nullptr ? Json() : Json(story.nearest->name);
  json["change"] = story.change ? change_json(*story.change) : Json();
  if (!story.is_searched) json["searched"] = false;
  json["ways"] = ways_json(story.ways);
  json["cannot"] = story.cannot.empty() ? Json() : Json(story.cannot);
  return json;
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

[[nodiscard]] Json claim_json(const why::EventStory& story, const why::JudgedClaim& judged,
                              const WhyOutput& output) {
  const events::Event& event = story.event;
  const events::Claim& claim = judged.claim;
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
  json["standing"] = standing_text(judged.standing);
  json["finding"] = judged.finding;
  json["place"] = node_place_json(judged.found, output.sources);
  json["command"] = text_or_null(judged.command);
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
    for (const why::JudgedClaim& judged : story.claims) {
      claims.push_back(claim_json(story, judged, output));
      if (judged.standing != why::Standing::unexplained) continue;
      unexplained.push_back({{"text", judged.claim.text},
                             {"why", judged.finding},
                             {"command", text_or_null(judged.command)}});
    }
  }
  return {{"text", output.event_text},
          {"claims", std::move(claims)},
          {"unexplained", std::move(unexplained)}};
}

}  // namespace

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
