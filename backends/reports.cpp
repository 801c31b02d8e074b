#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "backends/emitters.h"
#include "backends/stream_origin.h"
#include "backends/unicode.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

/// One of the two kinds of reports, which have the same fields. Each adds nothing that the other
/// would reject.
struct ReportKind {
  std::string_view api_version;
  std::string_view kind;
  std::string_view kind_of_cluster;
  bool names_source = false;  ///< The report itself names its source, not only its results.
};

constexpr ReportKind open_report{"openreports.io/v1alpha1", "Report", "ClusterReport", true};
constexpr ReportKind policy_report{"wgpolicyk8s.io/v1alpha2", "PolicyReport",
                                   "ClusterPolicyReport"};

/// One of pass, fail, warn, error (could not be checked) and skip.
[[nodiscard]] std::string_view result_of(Severity severity) {
  return severity == Severity::error ? "fail" : "warn";
}

/// One of the values in older schemas: high, medium, low.
[[nodiscard]] std::string_view report_severity(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "high";
    case Severity::warning:
      return "medium";
    case Severity::info:
      return "low";
  }
  return "low";
}

[[nodiscard]] Json reference_json(const FindingObject& object) {
  Json reference = Json::object();
  const auto put = [&](const char* key, const std::string& value) {
    if (!value.empty()) reference[key] = value;
  };
  put("apiVersion", object.api_version);
  put("kind", object.kind);
  put("name", object.name);
  put("namespace", object.name_space);
  put("uid", object.uid);
  return reference;
}

[[nodiscard]] Json result_json(const Run& run, const Diagnostic& diagnostic,
                               const FindingObject* object) {
  const SourceFile& file = run.sources.file(diagnostic.span);
  const std::string place =
      file.path() + ":" + std::to_string(file.position(diagnostic.span.begin).line);
  Json json = {{"source", "gpulint"},
               {"policy", diagnostic.rule->id},
               {"rule", diagnostic.rule->id},
               {"category", diagnostic.rule->category},
               {"result", result_of(diagnostic.severity)},
               {"severity", report_severity(diagnostic.severity)},
               {"message", diagnostic.message}};
  if (object != nullptr) json["resources"] = Json::array({reference_json(*object)});
  json["properties"] = {{"place", place}};
  const std::string_view origin = origin_of(run, diagnostic.span);
  if (!origin.empty()) json["properties"]["origin"] = origin;
  if (!diagnostic.path.empty()) json["properties"]["path"] = diagnostic.path;
  if (!diagnostic.help.empty()) json["properties"]["help"] = diagnostic.help;
  return json;
}

[[nodiscard]] Json report_json(const ReportKind& kind, const std::string& name_space,
                               Json results) {
  Json metadata = {{"name", "gpulint"}};
  if (!name_space.empty()) metadata["namespace"] = name_space;
  metadata["labels"] = {{"app.kubernetes.io/managed-by", "gpulint"}};
  std::size_t failed = 0;
  for (const Json& result : results) failed += result["result"] == "fail" ? 1 : 0;
  Json report = {{"apiVersion", kind.api_version},
                 {"kind", name_space.empty() ? kind.kind_of_cluster : kind.kind},
                 {"metadata", std::move(metadata)}};
  if (kind.names_source) report["source"] = "gpulint";
  report["summary"] = {
      {"pass", 0}, {"fail", failed}, {"warn", results.size() - failed}, {"error", 0}, {"skip", 0}};
  report["results"] = std::move(results);
  return report;
}

/// What concerns no namespace first.
void emit_reports(const ReportKind& kind, const Run& run, std::ostream& out) {
  std::map<std::string, Json> results;
  for (std::size_t i = 0; i < run.diagnostics.size(); ++i) {
    const FindingObject* const object =
        i < run.objects.size() && !run.objects[i].kind.empty() ? &run.objects[i] : nullptr;
    const std::string name_space = object == nullptr ? "" : object->name_space;
    results.try_emplace(name_space, Json::array())
        .first->second.push_back(result_json(run, run.diagnostics[i], object));
  }
  Json items = Json::array();
  for (auto& [name_space, some] : results) {
    items.push_back(report_json(kind, name_space, std::move(some)));
  }
  const Json list = {{"apiVersion", "v1"}, {"kind", "List"}, {"items", std::move(items)}};
  out << escape_hidden(list.dump(2, ' ', false, Json::error_handler_t::replace)) << '\n';
}

}  // namespace

void emit_openreports(const Run& run, std::ostream& out) { emit_reports(open_report, run, out); }

void emit_policyreport(const Run& run, std::ostream& out) { emit_reports(policy_report, run, out); }

}  // namespace gpulint
