#include "backends/html/sections.h"

#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "backends/html/matrix.h"
#include "backends/html/source_view.h"
#include "backends/html/stories.h"
#include "backends/html/yaml_colors.h"
#include "backends/ink.h"
#include "backends/markdown.h"
#include "backends/markup.h"
#include "backends/rule_table.h"

namespace gpulint {
namespace {

/// A JSON pointer as people read it: `~1` stands for a slash (RFC 6901).
[[nodiscard]] std::string unescaped_pointer(std::string_view pointer) {
  std::string text;
  for (std::size_t at = 0; at < pointer.size(); ++at) {
    const bool is_escape = pointer[at] == '~' && at + 1 < pointer.size();
    if (is_escape) ++at;
    text.push_back(!is_escape ? pointer[at] : pointer[at] == '1' ? '/' : '~');
  }
  return text;
}

void write_origins(const Run& run, const CompiledPod& pod, std::size_t number, std::ostream& out) {
  if (pod.origins.empty()) return;
  out << fmt::format(
             "<div class=\"scroll\" role=\"region\" aria-label=\"Origins, pod {}\" tabindex=\"0\">",
             number)
      << "<table><thead><tr><th scope=\"col\">in the pod</th><th scope=\"col\">put there by</th>"
         "<th scope=\"col\">at</th></tr></thead><tbody>\n";
  for (const CompiledPod::Origin& origin : pod.origins) {
    const std::string place = origin.in_source ? location_text(run, origin.span) : origin.from;
    out << fmt::format("<tr><td><code>{}</code></td><td><code>{}</code></td><td>{}</td></tr>\n",
                       escape_markup(unescaped_pointer(origin.pointer)), escape_markup(origin.key),
                       escape_markup(place));
  }
  out << "</tbody></table></div>\n";
}

void write_pod(const Run& run, const CompiledPod& pod, std::size_t number, std::ostream& out) {
  out << fmt::format(
      "<details class=\"pod\" id=\"pod-{}\"><summary><strong>{}</strong> <span "
      "class=\"quiet\">Flyte "
      "{}</span>{}</summary>\n",
      number, escape_markup(pod.task), escape_markup(pod.flyte_version),
      pod.error.empty() ? "" : " <span class=\"badge error\">refused</span>");
  if (!pod.error.empty()) out << "<p>" << prose_html(pod.error) << "</p>\n";
  if (!pod.yaml.empty()) out << "<pre>" << colored_html(pod.yaml) << "</pre>\n";
  write_origins(run, pod, number, out);
  out << "</details>\n";
}

/// rule.md begins with the summary, which the page shows already.
[[nodiscard]] std::string_view without_summary(const RuleText& rule) {
  std::string_view text = rule.documentation;
  if (text.starts_with(rule.info->summary)) text.remove_prefix(rule.info->summary.size());
  return text;
}

}  // namespace

void write_placement_section(const Run& run, const PageLinks& links, std::ostream& out) {
  if (run.placements.empty()) return;
  out << "<section id=\"placement\"><h2>Placement</h2>\n";
  write_legend(run, out);
  for (const std::string& note : run.notes) {
    out << "<p class=\"quiet\">Taken for granted: " << prose_html(note) << "</p>\n";
  }
  for (std::size_t i = 0; i < run.placements.size(); ++i) {
    write_matrix(run, i, links, out);
    write_stories(run, i, links, out);
  }
  out << "</section>\n";
}

void write_pods_section(const Run& run, std::ostream& out) {
  if (run.pods.empty()) return;
  out << "<section id=\"pods\"><h2>Compiled pods</h2>\n"
         "<p class=\"quiet\">What Flyte would create for each task, and which line of the "
         "configuration put it there.</p>\n";
  for (std::size_t i = 0; i < run.pods.size(); ++i) write_pod(run, run.pods[i], i + 1, out);
  out << "</section>\n";
}

void write_rules_section(const Run& run, std::ostream& out) {
  if (run.diagnostics.empty()) return;
  out << "<section id=\"rules\"><h2>Rules</h2>\n";
  const RuleTable rules(run);
  for (const RuleText& rule : rules.all()) {
    out << fmt::format(
        "<details class=\"rule\" id=\"rule-{0}\"><summary><strong>{0}</strong> {1}</summary>\n{2}"
        "</details>\n",
        escape_markup(rule.info->id), prose_html(rule.info->summary),
        markdown_to_html(without_summary(rule)));
  }
  out << "</section>\n";
}

}  // namespace gpulint
