#include "backends/html/sections.h"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "backends/html/source_view.h"
#include "backends/ink.h"
#include "backends/markdown.h"
#include "backends/markup.h"
#include "backends/rule_table.h"

namespace gpulint {
namespace {

[[nodiscard]] std::string_view css_class(Verdict verdict) {
  switch (verdict) {
    case Verdict::fits:
      return "fits";
    case Verdict::open:
      return "open";
    case Verdict::refused:
      return "refused";
  }
  return "";
}

[[nodiscard]] std::string_view verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::fits:
      return "✓ fits";
    case Verdict::open:
      return "? open";
    case Verdict::refused:
      return "✗ no";
  }
  return "";
}

void write_cell(const PlacementCell& cell, std::string_view workload, std::string_view node,
                std::ostream& out) {
  std::string hover = fmt::format("{} on {}: {}", workload, node, verdict_text(cell.verdict));
  for (const std::string& reason : cell.reasons) hover += "\n" + reason;
  out << fmt::format("<td class=\"{}\" title=\"{}\">{}", css_class(cell.verdict),
                     escape_markup(hover), verdict_text(cell.verdict));
  for (const std::string& reason : cell.reasons) {
    out << "<small>" << escape_markup(reason) << "</small>";
  }
  out << "</td>";
}

void write_legend(std::ostream& out) {
  out << "<ul class=\"legend\">"
         "<li><span class=\"fits\">✓ fits</span> the scheduler would admit it</li>"
         "<li><span class=\"refused\">✗ no</span> it would not, for the reasons given</li>"
         "<li><span class=\"open\">? open</span> the node pool does not say</li></ul>\n";
}

void write_origins(const Run& run, const CompiledPod& pod, std::ostream& out) {
  if (pod.origins.empty()) return;
  out << "<div class=\"scroll\" role=\"region\" aria-label=\"Origins\" tabindex=\"0\"><table>"
         "<thead><tr><th scope=\"col\">in the pod</th><th scope=\"col\">put there by</th>"
         "<th scope=\"col\">at</th></tr></thead><tbody>\n";
  for (const CompiledPod::Origin& origin : pod.origins) {
    const std::string place = origin.in_source ? location_text(run, origin.span) : "";
    out << fmt::format("<tr><td><code>{}</code></td><td><code>{}</code></td><td>{}</td></tr>\n",
                       escape_markup(origin.pointer), escape_markup(origin.key),
                       origin.in_source ? escape_markup(place) : "Flyte’s default");
  }
  out << "</tbody></table></div>\n";
}

void write_pod(const Run& run, const CompiledPod& pod, std::ostream& out) {
  out << fmt::format(
      "<details class=\"pod\" open><summary><strong>{}</strong> <span class=\"quiet\">Flyte "
      "{}</span>{}</summary>\n",
      escape_markup(pod.task), escape_markup(pod.flyte_version),
      pod.error.empty() ? "" : " <span class=\"badge error\">refused</span>");
  if (!pod.error.empty()) out << "<p>" << prose_html(pod.error) << "</p>\n";
  if (!pod.yaml.empty()) out << "<pre>" << escape_markup(pod.yaml) << "</pre>\n";
  write_origins(run, pod, out);
  out << "</details>\n";
}

/// rule.md begins with the summary, which the page shows already.
[[nodiscard]] std::string_view without_summary(const RuleText& rule) {
  std::string_view text = rule.documentation;
  if (text.starts_with(rule.info->summary)) text.remove_prefix(rule.info->summary.size());
  return text;
}

}  // namespace

namespace {

void write_matrix(const PlacementMatrix& matrix, std::ostream& out) {
  if (!matrix.cluster.empty()) out << "<h3>" << escape_markup(matrix.cluster) << "</h3>\n";
  out << "<div class=\"scroll\" role=\"region\" aria-label=\"Placement\" tabindex=\"0\">"
         "<table class=\"placement\"><thead><tr><th scope=\"col\">workload</th>";
  for (const std::string& node : matrix.nodes) {
    out << "<th scope=\"col\">" << escape_markup(node) << "</th>";
  }
  out << "</tr></thead><tbody>\n";
  for (const PlacementMatrix::Row& row : matrix.rows) {
    out << "<tr><th scope=\"row\">" << escape_markup(row.workload) << "</th>";
    for (std::size_t i = 0; i < std::min(row.cells.size(), matrix.nodes.size()); ++i) {
      write_cell(row.cells[i], row.workload, matrix.nodes[i], out);
    }
    out << "</tr>\n";
  }
  out << "</tbody></table></div>\n";
  if (matrix.more_nodes + matrix.more_rows == 0) return;
  out << fmt::format("<p class=\"quiet\">{} and {} are not shown.</p>\n",
                     count_text(matrix.more_nodes, "more node"),
                     count_text(matrix.more_rows, "more workload"));
}

}  // namespace

void write_placement_section(const Run& run, std::ostream& out) {
  if (run.placements.empty()) return;
  out << "<section id=\"placement\"><h2>Placement</h2>\n";
  write_legend(out);
  for (const PlacementMatrix& matrix : run.placements) write_matrix(matrix, out);
  out << "</section>\n";
}

void write_pods_section(const Run& run, std::ostream& out) {
  if (run.pods.empty()) return;
  out << "<section id=\"pods\"><h2>Compiled pods</h2>\n"
         "<p class=\"quiet\">What Flyte would create for each task, and which line of the "
         "configuration put it there.</p>\n";
  for (const CompiledPod& pod : run.pods) write_pod(run, pod, out);
  out << "</section>\n";
}

void write_rules_section(const Run& run, std::ostream& out) {
  std::set<std::string_view> found;
  for (const Diagnostic& diagnostic : run.diagnostics) found.insert(diagnostic.rule->id);
  if (found.empty()) return;
  out << "<section id=\"rules\"><h2>Rules</h2>\n";
  const RuleTable rules(run);
  for (const RuleText& rule : rules.all()) {
    if (!found.contains(rule.info->id)) continue;
    const std::string id = escape_markup(rule.info->id);
    out << fmt::format(
        "<details class=\"rule\" id=\"rule-{0}\"><summary><strong>{0}</strong> {1}</summary>\n{2}"
        "</details>\n",
        id, escape_markup(rule.info->summary), markdown_to_html(without_summary(rule)));
  }
  out << "</section>\n";
}

}  // namespace gpulint
