#include "compiler/check/unrendered_charts.h"

#include <algorithm>
#include <string>
#include <string_view>

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

/// What a chart's files among the inputs hold.
struct ChartFiles {
  bool has_template = false;
  bool names_gpus = false;
};

[[nodiscard]] ChartFiles survey_chart(const Project& project, const render::FoundChart& chart) {
  ChartFiles found;
  for (const FileId id : project.inputs) {
    const SourceFile& file = project.sources.file(id);
    const std::string_view path = render::path_below(file.path(), chart.folder);
    const bool is_template = render::is_template_path(path);
    found.has_template = found.has_template || is_template;
    const bool counts = is_template || holds_values(path);
    found.names_gpus = found.names_gpus || (counts && names_gpus(file.text()));
  }
  return found;
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
  for (const auto& chart : project.rendered.charts) {
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
  for (const render::FoundChart& chart : render::find_charts(project.sources, project.inputs)) {
    if (project.context_only.contains(chart.file)) continue;
    const ChartFiles files = survey_chart(project, chart);
    if (!files.has_template) continue;
    std::erase_if(findings, [&](const Diagnostic& finding) {
      const std::string& path = project.sources.file(finding.span).path();
      return finding.rule == &info && !render::path_below(path, chart.folder).empty();
    });
    if (!files.names_gpus || chart.is_library) continue;
    findings.push_back(note_on(project, chart, info, selection.severity(info, info.severity)));
  }
}

}  // namespace gpulint
