#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/alike.h"
#include "backends/emitters.h"
#include "backends/html/links.h"
#include "backends/html/placement_table.h"
#include "backends/html/source_view.h"
#include "backends/html/template.h"
#include "backends/ink.h"
#include "backends/json.h"
#include "backends/placement_output.h"
#include "backends/rule_docs.h"
#include "backends/stream_origin.h"
#include "backends/text.h"
#include "backends/unicode.h"
#include "backends/unified_diff.h"
#include "backends/why_output.h"
#include "compiler/base/counted.h"
#include "compiler/why/pool_names.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_unread = 10;
constexpr std::size_t most_linked_cells = 3;
constexpr std::size_t most_linked_findings = 6;
constexpr std::size_t most_told_at_once = 3;  // stories; the others are in a fold
constexpr std::size_t most_told_groups = 3;
constexpr std::array page_severities = {Severity::error, Severity::warning, Severity::info};

/// `3 more things`; null if everything is shown.
[[nodiscard]] Json left_out(std::size_t all, std::size_t shown, std::string_view noun) {
  return shown < all ? Json(count_text(all - shown, noun)) : Json();
}

/// The counts that are not zero.
[[nodiscard]] Json counts_json(const Run& run) {
  Json counts = Json::array();
  for (const Severity severity : page_severities) {
    const std::size_t count = severity == Severity::error     ? run.summary.errors
                              : severity == Severity::warning ? run.summary.warnings
                                                              : run.summary.infos;
    if (count == 0) continue;
    counts.push_back({{"severity", to_string(severity)},
                      {"count", count},
                      {"text", count_text(count, to_string(severity))}});
  }
  return counts;
}

[[nodiscard]] PlacementMatrix::Tally tally_of(const Run& run) {
  PlacementMatrix::Tally sum;
  for (const PlacementMatrix& matrix : run.placements) {
    sum.all += matrix.tally.all;
    sum.fitting += matrix.tally.fitting;
    sum.open += matrix.tally.open;
  }
  return sum;
}

/// The answer of the page in one line. `counts`: `2 errors, 1 info`.
[[nodiscard]] std::string verdict_line(const Run& run, const std::string& counts) {
  const PlacementMatrix::Tally tally = tally_of(run);
  const std::size_t refused = tally.all - tally.fitting - tally.open;
  const std::string all = count_text(tally.all, "workload");
  if (refused > 0 && refused == tally.all) {
    return tally.all == 1 ? "The workload cannot be placed"
                          : fmt::format("None of {} can be placed", all);
  }
  if (refused > 0) return fmt::format("{} of {} cannot be placed", refused, all);
  if (tally.open > 0 && tally.open == tally.all) {
    return fmt::format("{} may fit", tally.all == 1 ? "The workload" : "All " + all);
  }
  if (tally.open > 0) return fmt::format("{} of {} may fit", tally.open, all);
  const std::string found = counts.empty() ? "" : fmt::format(", with {}", counts);
  if (tally.all == 1) return "The workload can be placed" + found;
  if (tally.all > 1) return fmt::format("All {} can be placed{}", all, found);
  if (counts.empty()) return quiet_verdict(run);
  return fmt::format("{} in {}", counts, count_text(run.summary.files, "file"));
}

/// How the report was made: names with code, text or both.
[[nodiscard]] Json about_json(const Run& run) {
  Json facts = Json::array();
  const auto add = [&](std::string_view name, const std::string& code, const std::string& text) {
    if (code.empty() && text.empty()) return;
    facts.push_back({{"name", name}, {"code", code}, {"text", text}});
  };
  const Provenance& from = run.provenance;
  const auto unless_told = [&](const std::string& fact, const char* text) {
    return fact.empty() && !from.command.empty() ? text : "";
  };
  add("command", from.command, "");
  add("configuration", from.configuration, unless_told(from.configuration, "no gpulint.yaml"));
  add("revision", from.revision, unless_told(from.revision, "outside of git repositories"));
  add("inputs", "", from.read);
  for (std::size_t i = 0; i < std::min(run.read.not_read.size(), most_unread); ++i) {
    const UnreadFile& file = run.read.not_read[i];
    add("not read", file.file, file.why.empty() ? "" : ": " + file.why);
  }
  add("gpulint", "", run.version);
  return facts;
}

[[nodiscard]] Json errors_of(const Run& run) {
  Json errors = Json::array();
  for (const RunError& error : run.errors) {
    errors.push_back(error.file.empty() ? error.message : error.file + ": " + error.message);
  }
  return errors;
}

[[nodiscard]] Json unplaced_text(std::size_t count) {
  if (count == 0) return nullptr;
  return fmt::format("{} {} no nodes in the same scope: where {} can run",
                     count_text(count, "workload"), count == 1 ? "has" : "have",
                     count == 1 ? "it" : "they");
}

[[nodiscard]] Json pods_json(const Run& run) {
  Json pods = Json::array();
  for (const CompiledPod& pod : run.pods) {
    pods.push_back({{"number", pods.size() + 1},
                    {"task", pod.task},
                    {"flyte", pod.flyte_version},
                    {"error", pod.error},
                    {"yaml", pod.yaml}});
  }
  return pods;
}

/// rule.md without what the page already shows: the summary, and the bad example, because the
/// reader has a real one.
[[nodiscard]] std::string page_text(const RuleText& rule) {
  constexpr std::string_view first_heading = "\n\n## Why it matters\n";
  std::string_view text = rule.documentation;
  if (text.starts_with(rule.info->summary)) text.remove_prefix(rule.info->summary.size());
  if (text.starts_with(first_heading)) text.remove_prefix(first_heading.size());
  const std::size_t bad = text.find("\n## Bad\n");
  const std::size_t good = text.find("\n## Good\n", bad);
  if (good == std::string_view::npos) return std::string(text);
  return fmt::format("{}{}", text.substr(0, bad), text.substr(good));
}

[[nodiscard]] Json rules_of(const Run& run) {
  Json rules = Json::array();
  if (run.diagnostics.empty()) return rules;
  const RuleTable found(run);
  for (const RuleText& rule : found.all()) {
    rules.push_back(
        {{"id", rule.info->id}, {"summary", rule.info->summary}, {"text", page_text(rule)}});
  }
  return rules;
}

// Findings

/// The findings of one rule by their number from 0.
struct RuleGroup {
  std::string_view id;
  Severity severity = Severity::info;  ///< The worst among them.
  std::vector<std::size_t> members;
};

/// One group for each rule, errors first.
[[nodiscard]] std::vector<RuleGroup> group_by_rule(const Run& run) {
  std::vector<RuleGroup> groups;
  std::map<std::string_view, std::size_t> known;
  const std::size_t shown = std::min(run.diagnostics.size(), most_page_findings);
  for (std::size_t i = 0; i < shown; ++i) {
    const Diagnostic& diagnostic = run.diagnostics[i];
    const auto [at, is_new] = known.emplace(diagnostic.rule->id, groups.size());
    if (is_new) groups.push_back({diagnostic.rule->id, diagnostic.severity, {}});
    RuleGroup& group = groups[at->second];
    group.severity = std::max(group.severity, diagnostic.severity);
    group.members.push_back(i);
  }
  std::ranges::stable_sort(
      groups, [](const RuleGroup& a, const RuleGroup& b) { return a.severity > b.severity; });
  return groups;
}

[[nodiscard]] std::string cell_text(const Run& run, CellNumber cell) {
  std::size_t row = cell.first - 1;
  for (const PlacementMatrix& matrix : run.placements) {
    if (row < matrix.rows.size()) {
      return fmt::format("{} on {}", name_of(matrix.rows[row]), matrix.nodes[cell.second]);
    }
    row -= matrix.rows.size();
  }
  return {};
}

/// Findings as in the JSON report, with what only the page shows.
class FindingsModel {
 public:
  FindingsModel(const Run& run, const PageLinks& links) : run_(run), links_(links) {}

  /// One fold for each rule; the first rule is unfolded, and in each rule the first finding.
  [[nodiscard]] Json groups() const {
    Json groups = Json::array();
    for (const RuleGroup& group : group_by_rule(run_)) {
      const Diagnostic& first = run_.diagnostics[group.members.front()];
      Json findings = Json::array();
      for (const std::size_t i : group.members) findings.push_back(finding(i, first));
      groups.push_back({{"id", group.id},
                        {"severity", to_string(group.severity)},
                        {"open", groups.empty()},
                        {"count", group.members.size() > 1 ? group.members.size() : 0},
                        {"message", first.message},
                        {"summary", first.rule->summary},
                        {"findings", std::move(findings)}});
    }
    return groups;
  }

 private:
  [[nodiscard]] std::string place_text(Span span) const {
    return location_text(run_, span) + printable(origin_note(run_, span));
  }

  /// The summary line shows the place, and how the message differs from the first of its rule.
  [[nodiscard]] Json finding(std::size_t at, const Diagnostic& first) const {
    const Diagnostic& diagnostic = run_.diagnostics[at];
    const bool is_first = &diagnostic == &first;
    const bool says_the_same = without_names(diagnostic.message) == without_names(first.message);
    const std::string_view name = name_in(diagnostic.message);
    Json json = diagnostic_json(run_, diagnostic);
    json["number"] = at + 1;
    json["open"] = is_first;
    json["alike"] = !is_first && says_the_same;
    json["place"] = place_text(diagnostic.span);
    json["differs"] = diagnostic.severity != first.severity;
    if (!says_the_same) json["said"] = diagnostic.message;
    if (says_the_same && name != name_in(first.message)) json["name"] = name;
    json["source"] = source_html(run_.sources.file(diagnostic.span), diagnostic.span);
    add_related(diagnostic, json);
    if (diagnostic.fix) json["fix"]["diff"] = fix_diff(run_, *diagnostic.fix);
    add_cells(json);
    return json;
  }

  void add_related(const Diagnostic& diagnostic, Json& json) const {
    const std::size_t shown = places_shown(diagnostic.related);
    Json related = Json::array();
    for (std::size_t i = 0; i < shown; ++i) {
      const Label& label = diagnostic.related[i];
      related.push_back({{"message", label.message},
                         {"place", place_text(label.span)},
                         {"source", source_html(run_.sources.file(label.span), label.span)}});
    }
    json["related"] = std::move(related);
    json["related_left"] = left_out(diagnostic.related.size(), shown, "more place");
  }

  /// Where the matrix shows the effect.
  void add_cells(Json& json) const {
    const auto found = links_.cells_of_finding.find(json["number"].get<std::size_t>());
    if (found == links_.cells_of_finding.end()) return;
    const std::vector<CellNumber>& cells = found->second;
    const std::size_t shown = std::min(cells.size(), most_linked_cells);
    for (std::size_t i = 0; i < shown; ++i) {
      json["cells"].push_back({{"id", cell_id(cells[i])}, {"name", cell_text(run_, cells[i])}});
    }
    json["more_cells"] = cells.size() - shown;
  }

  const Run& run_;
  const PageLinks& links_;
};

// Placement

/// The story of a workload that fits no node, as in the JSON of `why`, in the page's words.
class StoryModel {
 public:
  StoryModel(const Run& run, const why::Story& story) : run_(run), story_(story) {}

  [[nodiscard]] Json story() {
    const bool is_refused = !story_.refusals.empty();
    Json json = story_json(story_, run_.sources);
    json["may_fit"] = !is_refused && story_.fits == Ternary::unknown;
    json["verdict"] = verdict_text(story_);
    json["nearest"] = story_.nearest == nullptr || is_refused ? "" : why::name_of(*story_.nearest);
    json["groups"] = Json::array();
    if (story_.change) {
      for (const auto& [path, file] : story_.change->files) {
        json["change"]["diffs"].push_back(unified_diff(file.name, file.before, file.after));
      }
    }
    if (!has_told_nodes(story_)) return json;
    add_groups(json);
    if (!story_.cannot.empty()) {
      json["obstacle"] = story_.fits == Ternary::unknown ? "Not certain"
                         : story_.is_searched            ? no_change_text
                                              : "Not every change was tried; without a change";
    }
    return json;
  }

 private:
  void add_groups(Json& json) {
    std::size_t shown = 0;
    std::size_t left_out = 0;
    std::vector<const NodePool*> without;
    for (const why::Group& group : story_.groups) {
      // if it may fit some nodes, do not show the nodes that it certainly does not fit
      if (story_.fits == Ternary::unknown && !group.is_open) continue;
      if (group.lacks_device) {
        without.insert(without.end(), group.pools.begin(), group.pools.end());
      } else if (shown++ < most_told_groups) {
        json["groups"].push_back(group_model(group, shown == 1 && story_.groups.size() > 1));
      } else {
        left_out += group.pools.size();
      }
    }
    std::string rest;
    if (left_out > 0) rest = fmt::format("{} not shown. ", count_text(left_out, "node"));
    if (!without.empty()) {
      rest += fmt::format("{} without the requested device: {}.",
                          count_text(without.size(), "node"), why::names_of(without));
    }
    json["rest"] = rest;
  }

  [[nodiscard]] Json group_model(const why::Group& group, bool is_nearest) {
    const std::string count =
        group.pools.size() > 1 ? fmt::format(" ({} alike)", count_text(group.pools.size(), "node"))
                               : "";
    Json terms = Json::array();
    for (const why::FailedTerm& failed : group.terms) terms.push_back(term_model(failed));
    return {{"nodes", why::names_of(group.pools)},
            {"alike", count + (group.is_open ? ", may fit:"
                               : is_nearest  ? " (closest match):"
                                             : ":")},
            {"may_take", group.terms.empty() ? open_text(group) : ""},
            {"terms", std::move(terms)}};
  }

  [[nodiscard]] Json term_model(const why::FailedTerm& failed) {
    std::string more = failed.remark;
    const std::string origin = origin_text(failed, run_.sources);
    if (told_.insert(origin).second) more += (more.empty() ? "" : "; ") + origin;
    const Node found = failed.term.found;
    return {{"text", term_text(failed)},
            {"place", found ? place_of_key(found, run_.sources) : ""},
            {"more", more}};
  }

  const Run& run_;
  const why::Story& story_;
  std::set<std::string> told_;  // requirements whose origin is shown already
};

class PlacementModel {
 public:
  PlacementModel(const Run& run, const PageLinks& links) : run_(run), links_(links) {}

  [[nodiscard]] Json placements() const {
    Json placements = Json::array();
    for (std::size_t i = 0; i < run_.placements.size(); ++i) placements.push_back(placement(i));
    return placements;
  }

 private:
  [[nodiscard]] Json placement(std::size_t index) const {
    const PlacementMatrix& matrix = run_.placements[index];
    const bool is_cut = matrix.more_nodes + matrix.more_rows > 0;
    return {{"index", index},
            {"cluster", matrix.cluster},
            {"table", table_json(matrix, first_row_of(run_, index), links_)},
            {"shared", shared_json(matrix)},
            {"more", is_cut ? fmt::format("{} and {}", count_text(matrix.more_nodes, "more node"),
                                          count_text(matrix.more_rows, "more workload"))
                            : ""},
            {"stories", stories(index)}};
  }

  [[nodiscard]] Json stories(std::size_t index) const {
    const PlacementMatrix& matrix = run_.placements[index];
    const std::size_t first = first_row_of(run_, index);
    Json stories = Json::array();
    const auto add = [&](const why::Story& story, std::string id, std::string name) -> Json& {
      stories.push_back(StoryModel(run_, story).story());
      stories.back()["id"] = std::move(id);
      stories.back()["name"] = std::move(name);
      return stories.back();
    };
    for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
      const std::vector<PlacementMatrix::Workload>& workloads = matrix.rows[i].workloads;
      for (std::size_t k = 0; k < workloads.size(); ++k) {
        if (workloads[k].story == nullptr) continue;
        const std::string id =
            fmt::format("why-{}{}", first + i, k == 0 ? "" : fmt::format("-{}", k));
        add_findings({first + i, k}, add(*workloads[k].story, id, workloads[k].name));
      }
    }
    for (std::size_t i = 0; i < matrix.refused.size(); ++i) {
      const why::Story& story = *matrix.refused[i];
      add(story, fmt::format("refused-{}-{}", index, i), "task " + story.task);
    }
    if (!stories.empty()) stories.front()["open"] = index == 0;
    if (stories.size() > most_told_at_once) {
      Json& next = stories[most_told_at_once];
      next["index"] = index;
      next["more"] = left_out(stories.size(), most_told_at_once, "more workload");
      stories.back()["last"] = true;
    }
    return stories;
  }

  void add_findings(WorkloadNumber workload, Json& json) const {
    const std::vector<std::size_t>& found = links_.findings_of_workload.at(workload);
    const std::size_t shown = std::min(found.size(), most_linked_findings);
    for (std::size_t i = 0; i < shown; ++i) {
      const std::size_t number = found[i];
      json["findings"].push_back(
          {{"number", number}, {"id", run_.diagnostics[number - 1].rule->id}});
    }
    json["more_findings"] = found.size() - shown;
  }

  const Run& run_;
  const PageLinks& links_;
};

/// How the two numbers of the headline relate; empty if there is only one.
[[nodiscard]] std::string relation_text(const Run& run, const PageLinks& links) {
  std::size_t unplaced = 0;
  std::size_t found = 0;
  std::size_t number = 0;
  for (const PlacementMatrix& matrix : run.placements) {
    if (matrix.more_rows > 0 || !matrix.refused.empty()) return {};
    for (const PlacementMatrix::Row& row : matrix.rows) {
      ++number;
      if (row.best != Verdict::refused) continue;
      unplaced += row.workloads.size();
      for (std::size_t i = 0; i < row.workloads.size(); ++i) {
        found += links.findings_of_workload.at({number, i}).empty() ? 0 : 1;
      }
    }
  }
  if (unplaced == 0 || run.diagnostics.empty()) return {};
  const std::string these = count_text(unplaced, "workload");
  if (found == unplaced)
    return fmt::format("The findings concern the {} that cannot be placed.", these);
  return fmt::format(
      "The findings concern {} of the {} that cannot be placed; “Placement” explains the {}.",
      found, these, found + 1 == unplaced ? "other" : "others");
}

}  // namespace

/// The page's model is the JSON of `check` and `why`, with what only the page shows.
void emit_html(const Run& given, std::ostream& out) {
  Run run = given;
  run.presentation = {};  // locations are text here, not terminal output
  const PageLinks links = link_page(run);
  const Json counts = counts_json(run);
  std::vector<std::string> found;
  for (const Json& count : counts) found.push_back(count["text"]);
  const std::string date = run.provenance.date.empty() ? "" : "; " + run.provenance.date;
  const Json page = {
      {"verdict", verdict_line(run, fmt::format("{}", fmt::join(found, ", ")))},
      {"project", run.provenance.project},
      {"counts", counts},
      {"relation", relation_text(run, links)},
      {"errors", errors_of(run)},
      {"unplaced", unplaced_text(run.unplaced)},
      {"size", fmt::format("{}, {}{}", count_text(run.summary.files, "file"),
                           count_text(run.summary.documents, "document"), date)},
      {"about", about_json(run)},
      {"has_letters", std::ranges::any_of(run.placements, has_letters)},
      {"notes", run.notes},
      {"placements", PlacementModel(run, links).placements()},
      {"groups", FindingsModel(run, links).groups()},
      {"nothing", quiet_verdict(run)},
      {"findings_left", left_out(run.diagnostics.size(), most_page_findings, "more finding")},
      {"pods", pods_json(run)},
      {"rules", rules_of(run)}};
  fill_template(page_template(), page, out);
}

}  // namespace gpulint
