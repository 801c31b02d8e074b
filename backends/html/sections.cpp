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

void write_pod(const CompiledPod& pod, std::size_t number, std::ostream& out) {
  out << fmt::format(
      "<details class=\"pod\" id=\"pod-{}\"><summary><strong>{}</strong> <span "
      "class=\"quiet\">Flyte "
      "{}</span>{}</summary>\n",
      number, escape_markup(pod.task), escape_markup(pod.flyte_version),
      pod.error.empty() ? "" : " <span class=\"badge error\">refused</span>");
  if (!pod.error.empty()) out << "<p>" << prose_html(pod.error) << "</p>\n";
  if (!pod.yaml.empty()) out << "<pre>" << colored_html(pod.yaml) << "</pre>\n";
  out << "</details>\n";
}

/// rule.md without what the page shows already: the summary, and what is bad, of which the reader
/// has an example of their own.
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
         "<p class=\"quiet\">What Flyte would create for each task; behind <code>#</code> "
         "what put it there, and where.</p>\n";
  for (std::size_t i = 0; i < run.pods.size(); ++i) write_pod(run.pods[i], i + 1, out);
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
        markdown_to_html(page_text(rule)));
  }
  out << "</section>\n";
}

}  // namespace gpulint
