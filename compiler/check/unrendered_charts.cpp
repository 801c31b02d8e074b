#include "compiler/check/unrendered_charts.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/shell_word.h"
#include "compiler/engine/registry.h"
#include "compiler/render/find_charts.h"
#include "frontend/relevance.h"

namespace gpulint {
namespace {

constexpr std::string_view rule_id = "unrendered-template";

/// `values.yaml`, `values-prod.yaml` in the folder of the chart, and those of its subcharts.
[[nodiscard]] bool holds_values(std::string_view path) {
  const bool is_in_folder = path.find('/') == std::string_view::npos;
  return render::is_values_path(path) || (is_in_folder && path.starts_with("values"));
}

/// A chart among the inputs, and what its files hold.
struct SurveyedChart {
  const render::FoundChart* chart = nullptr;
  bool has_template = false;
  bool names_gpus = false;
};

using ChartsByFolder = std::map<std::string_view, SurveyedChart>;

/// The chart that a file belongs to; null if there is none.
[[nodiscard]] SurveyedChart* chart_around(ChartsByFolder& charts, std::string_view path) {
  for (std::size_t slash = path.rfind('/'); slash != std::string_view::npos && slash > 0;
       slash = path.rfind('/', slash - 1)) {
    const auto found = charts.find(path.substr(0, slash));
    if (found != charts.end()) return &found->second;
  }
  const auto here = charts.find(".");
  return here == charts.end() ? nullptr : &here->second;
}

[[nodiscard]] ChartsByFolder survey_charts(const Project& project,
                                           const std::vector<render::FoundChart>& found) {
  ChartsByFolder charts;
  for (const render::FoundChart& chart : found) charts[chart.folder].chart = &chart;
  if (charts.empty()) return charts;
  for (const FileId id : project.inputs) {
    const SourceFile& file = project.sources.file(id);
    SurveyedChart* const around = chart_around(charts, file.path());
    if (around == nullptr) continue;
    const std::string_view path = render::path_below(file.path(), around->chart->folder);
    const bool is_template = render::is_template_path(path);
    around->has_template = around->has_template || is_template;
    const bool counts = is_template || holds_values(path);
    around->names_gpus = around->names_gpus || (counts && names_gpus(file.text()));
  }
  return charts;
}

[[nodiscard]] Diagnostic note_on(const Project& project, const render::FoundChart& chart,
                                 const RuleInfo& rule, Severity severity) {
  Diagnostic finding;
  finding.rule = &rule;
  finding.severity = severity;
  finding.span = chart.name_span;
  finding.path = chart.name_span.empty() ? "" : "name";
  finding.message = fmt::format("chart `{}` was not rendered", chart.name);
  std::string nodes;
  for (const Scope& scope : project.scopes) {
    if (scope.settings.node_files.empty()) continue;
    for (const std::string& path : scope.settings.node_files) nodes += " " + shell_word(path);
    break;
  }
  finding.help = fmt::format("check what its templates render: `gpulint check --render {}{}`",
                             shell_word(chart.folder), nodes);
  return finding;
}

}  // namespace

void drop_unrendered_files(const Project& project, std::vector<Diagnostic>& findings) {
  for (const auto& chart : project.rendered.all) {
    if (!chart->error.empty()) continue;
    std::erase_if(findings, [&](const Diagnostic& finding) {
      const std::string& path = project.sources.file(finding.span).path();
      return finding.rule->id == rule_id && !render::path_below(path, chart->folder).empty();
    });
  }
}

void fold_unrendered_charts(const Project& project, const Selection& selection,
                            std::vector<Diagnostic>& findings) {
  const RegisteredRule* const rule = find_rule(rule_id);
  if (rule == nullptr || !selection.enabled(rule->rule->info)) return;
  const RuleInfo& info = rule->rule->info;
  const auto found = render::find_charts(project.sources, project.inputs);
  ChartsByFolder charts = survey_charts(project, found);
  std::erase_if(charts, [&](const auto& entry) {
    return !entry.second.has_template || project.context_only.contains(entry.second.chart->file);
  });
  std::erase_if(findings, [&](const Diagnostic& finding) {
    return finding.rule == &info &&
           chart_around(charts, project.sources.file(finding.span).path()) != nullptr;
  });
  for (const auto& [folder, survey] : charts) {
    if (!survey.names_gpus || survey.chart->is_library) continue;
    findings.push_back(
        note_on(project, *survey.chart, info, selection.severity(info, info.severity)));
  }
}

}  // namespace gpulint
