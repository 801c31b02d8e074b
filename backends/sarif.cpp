#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backends/emitters.h"
#include "backends/fingerprint.h"
#include "backends/json.h"
#include "backends/rule_docs.h"
#include "backends/stream_origin.h"
#include "backends/unicode.h"
#include "backends/uri.h"
#include "compiler/base/text.h"

// SARIF 2.1.0 (OASIS, Errata 01). What GitHub reads of it, and its limits: docs.github.com, "SARIF
// support for code scanning".

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_results = 25'000;
constexpr std::size_t most_related_locations = 100;
constexpr std::size_t most_links = 8;
constexpr std::string_view schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

[[nodiscard]] std::string_view level_of(Severity severity) {
  return severity == Severity::info ? "note" : to_string(severity);
}

[[nodiscard]] std::string_view problem_severity(Severity severity) {
  return severity == Severity::info ? "recommendation" : to_string(severity);
}

/// Ends with a period, and contains nothing that looks like a link (§3.11.6).
[[nodiscard]] std::string sentence(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '(' && result.ends_with(']')) result.insert(result.size() - 1, "\\");
    result.push_back(c);
  }
  if (!result.ends_with('.')) result.push_back('.');
  return result;
}

[[nodiscard]] std::string link_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == '\\') result.push_back('\\');
    result.push_back(c);
  }
  return result;
}

[[nodiscard]] std::string capitalized(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

/// Message, links to the related places, and the help, which GitHub shows nowhere else.
[[nodiscard]] std::string message_text(const Run& run, const Diagnostic& diagnostic) {
  std::string text = sentence(message_with_origin(run, diagnostic));
  const std::size_t links = std::min(diagnostic.related.size(), most_links);
  for (std::size_t i = 0; i < links; ++i) {
    text += fmt::format("{}[{}]({})", i == 0 ? " See " : ", ",
                        link_text(diagnostic.related[i].message), i + 1);
  }
  if (links > 0) text += '.';
  if (!diagnostic.help.empty()) text += " " + capitalized(sentence(diagnostic.help));
  if (diagnostic.fix) text += " " + capitalized(sentence(diagnostic.fix->title));
  return text;
}

[[nodiscard]] Json region_json(const SourceFile& file, Span span) {
  const Position begin = file.position(span.begin);
  const Position end = file.position(span.end);
  return {{"startLine", begin.line},
          {"startColumn", begin.column},
          {"endLine", end.line},
          {"endColumn", end.column}};
}

/// The span's part of its first line: a pull request shows a finding only if all lines of its
/// region belong to the change.
[[nodiscard]] Span on_first_line(const SourceFile& file, Span span) {
  const std::string_view text = file.text(span);
  const std::size_t size = std::min(text.find_first_of("\r\n"), text.size());
  return {span.file, span.begin, span.begin + static_cast<std::uint32_t>(size)};
}

[[nodiscard]] Json rule_json(const RuleText& rule, const std::string& homepage) {
  const RuleInfo& info = *rule.info;
  const RuleProse prose = rule_prose(rule);
  // the user's own policies are not in gpulint's documentation
  const bool is_ours = !rule.documentation.empty();
  const std::string page = !is_ours || homepage.empty() ? "" : rule_page_url(homepage, info.id);
  const std::string see = !is_ours ? ""
                          : page.empty()
                              ? fmt::format("\n\n`gpulint rule {}` prints this.", info.id)
                              : fmt::format("\n\nSee {}.", page);
  Json json = {{"id", info.id},
               {"shortDescription", {{"text", prose.summary}}},
               {"fullDescription", {{"text", prose.description}}},
               {"help", {{"text", prose.help + see}, {"markdown", prose.markdown + see}}},
               {"defaultConfiguration", {{"level", level_of(info.severity)}}},
               {"properties",
                {{"tags", Json::array({"gpu", "kubernetes", info.category})},
                 {"precision", info.severity == Severity::error ? "very-high" : "high"},
                 {"problem.severity", problem_severity(info.severity)}}}};
  if (!equal_fold(prose.name, info.id))
    json["name"] = prose.name;  // it has to say more than the id
  if (!page.empty()) json["helpUri"] = page;
  return json;
}

/// How many findings of each severity (by number) fit into a log: errors come first.
[[nodiscard]] std::array<std::size_t, 3> room_by_severity(const Run& run) {
  const Summary found = summarize(run.diagnostics, 0, 0);
  const std::size_t errors = std::min(found.errors, most_results);
  const std::size_t warnings = std::min(found.warnings, most_results - errors);
  return {most_results - errors - warnings, warnings, errors};
}

class SarifWriter {
 public:
  explicit SarifWriter(const Run& run) : run_(run), rules_(run) {}

  [[nodiscard]] Json document() {
    Json results = results_json();
    const std::size_t dropped = run_.diagnostics.size() - results.size();
    Json log = {{"tool", {{"driver", driver_json()}}},
                {"invocations", Json::array({invocation_json(dropped)})},
                {"columnKind", "unicodeCodePoints"}};
    if (Json artifacts = artifacts_json(); !artifacts.empty()) {
      log["artifacts"] = std::move(artifacts);
    }
    log["results"] = std::move(results);
    return {{"$schema", schema}, {"version", "2.1.0"}, {"runs", Json::array({std::move(log)})}};
  }

 private:
  [[nodiscard]] Json driver_json() const {
    Json rules = Json::array();
    for (const RuleText& rule : rules_.all()) rules.push_back(rule_json(rule, run_.homepage));
    Json driver = {
        {"name", "gpulint"}, {"version", run_.version}, {"semanticVersion", run_.version}};
    if (!run_.homepage.empty()) driver["informationUri"] = run_.homepage;
    driver["rules"] = std::move(rules);
    return driver;
  }

  [[nodiscard]] Json invocation_json(std::size_t dropped) const {
    Json invocation = {{"executionSuccessful", run_.errors.empty()}};
    Json notifications = Json::array();
    for (const RunError& error : run_.errors) notifications.push_back(notification_json(error));
    if (dropped > 0) {
      const std::string text =
          fmt::format("{} findings of the lowest severities are left out: a log can contain {}.",
                      dropped, most_results);
      notifications.push_back({{"level", "warning"}, {"message", {{"text", text}}}});
    }
    if (!run_.errors.empty()) invocation["exitCode"] = 2;
    if (!notifications.empty()) {
      invocation["toolExecutionNotifications"] = std::move(notifications);
    }
    return invocation;
  }

  [[nodiscard]] Json notification_json(const RunError& error) const {
    Json notification = {{"level", "error"}};
    const bool is_of_file = !error.file.empty();
    const std::string text = is_of_file ? error.file + ": " + error.message : error.message;
    notification["message"] = {{"text", is_of_file ? sentence(text) : capitalized(sentence(text))}};
    if (is_of_file && !is_standard_input(error.file)) {
      notification["locations"] =
          Json::array({{{"physicalLocation",
                         {{"artifactLocation", {{"uri", repository_uri(run_, error.file)}}}}}}});
    }
    return notification;
  }

  /// Only what is not in the repository: standard input, with its text.
  [[nodiscard]] Json artifacts_json() const {
    Json artifacts = Json::array();
    for (FileId id = 0; id < run_.sources.size(); ++id) {
      const SourceFile& file = run_.sources.file(id);
      if (!is_standard_input(file.path())) continue;
      artifacts.push_back(
          {{"location", artifact_location(file)}, {"contents", {{"text", file.text()}}}});
    }
    return artifacts;
  }

  [[nodiscard]] Json artifact_location(const SourceFile& file) const {
    return {{"uri", repository_uri(run_, file.path())}};
  }

  [[nodiscard]] Json location_json(Span span) const {
    const SourceFile& file = run_.sources.file(span);
    return {{"physicalLocation",
             {{"artifactLocation", artifact_location(file)},
              {"region", region_json(file, on_first_line(file, span))}}}};
  }

  [[nodiscard]] Json results_json() {
    const std::vector<std::string> fingerprints = stable_fingerprints(run_);
    std::array<std::size_t, 3> room = room_by_severity(run_);
    Json results = Json::array();
    for (std::size_t i = 0; i < run_.diagnostics.size(); ++i) {
      std::size_t& left = room[static_cast<std::size_t>(run_.diagnostics[i].severity)];
      if (left == 0) continue;
      --left;
      results.push_back(result_json(run_.diagnostics[i], fingerprints[i]));
    }
    return results;
  }

  [[nodiscard]] Json result_json(const Diagnostic& diagnostic, const std::string& fingerprint) {
    Json result = {{"ruleId", diagnostic.rule->id},
                   {"ruleIndex", rules_.index_of(diagnostic.rule->id)},
                   {"level", level_of(diagnostic.severity)},
                   {"message", {{"text", message_text(run_, diagnostic)}}},
                   {"locations", Json::array({location_json(diagnostic.span)})}};
    if (!diagnostic.related.empty()) result["relatedLocations"] = related_json(diagnostic.related);
    result["partialFingerprints"] = {{"primaryLocationLineHash", line_hash(diagnostic.span)},
                                     {"gpulintFinding/v1", fingerprint}};
    if (diagnostic.fix.has_value()) result["fixes"] = Json::array({fix_json(*diagnostic.fix)});
    if (diagnostic.rendered) {
      result["properties"] = {{"rendered", rendered_json(*diagnostic.rendered)},
                              {"decidedBy", to_string(diagnostic.rendered->decided_by)}};
    }
    return result;
  }

  [[nodiscard]] Json related_json(const std::vector<Label>& labels) const {
    Json related = Json::array();
    for (std::size_t i = 0; i < std::min(labels.size(), most_related_locations); ++i) {
      Json location = location_json(labels[i].span);
      location["id"] = i + 1;
      location["message"] = {
          {"text", sentence(labels[i].message + origin_note(run_, labels[i].span))}};
      related.push_back(std::move(location));
    }
    return related;
  }

  [[nodiscard]] Json fix_json(const Fix& fix) const {
    Json changes = Json::array();
    std::optional<FileId> current;
    for (const Edit& edit : fix.edits) {  // sorted: edits of one file are adjacent
      const SourceFile& file = run_.sources.file(edit.span);
      if (std::exchange(current, edit.span.file) != edit.span.file) {
        changes.push_back(
            {{"artifactLocation", artifact_location(file)}, {"replacements", Json::array()}});
      }
      changes.back()["replacements"].push_back({{"deletedRegion", region_json(file, edit.span)},
                                                {"insertedContent", {{"text", edit.text}}}});
    }
    const std::string title = fmt::format("{} ({})", fix.title, to_string(fix.safety));
    return {{"description", {{"text", capitalized(sentence(title))}}},
            {"artifactChanges", std::move(changes)}};
  }

  /// Keeps the hashes of one file: findings are sorted by file.
  [[nodiscard]] const std::string& line_hash(Span span) {
    const SourceFile& file = run_.sources.file(span);
    if (hashed_file_ != span.file) line_hashes_ = github_line_hashes(file.text());
    hashed_file_ = span.file;
    const std::size_t line = file.position(span.begin).line;
    return line_hashes_[std::min(line, line_hashes_.size()) - 1];
  }

  const Run& run_;
  RuleTable rules_;
  std::optional<FileId> hashed_file_;
  std::vector<std::string> line_hashes_;
};

}  // namespace

void emit_sarif(const Run& run, std::ostream& out) {
  const Json document = SarifWriter(run).document();
  out << escape_hidden(document.dump(2, ' ', false, Json::error_handler_t::replace)) << '\n';
}

}  // namespace gpulint
