#include "backends/html/findings.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "backends/alike.h"
#include "backends/html/source_view.h"
#include "backends/ink.h"
#include "backends/markup.h"
#include "backends/stream_origin.h"
#include "backends/text.h"
#include "backends/unicode.h"

namespace gpulint {
namespace {

constexpr std::size_t most_linked_cells = 3;

/// The findings of one rule by their number from 0.
struct RuleGroup {
  std::string_view id;
  Severity severity = Severity::info;  ///< The worst among them.
  std::vector<std::size_t> members;
};

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

class FindingsPart {
 public:
  FindingsPart(const Run& run, const PageLinks& links, std::ostream& out)
      : run_(run), links_(links), out_(out) {}

  void write() {
    out_ << "<section id=\"findings\"><h2>Findings</h2>\n";
    const std::vector<RuleGroup> groups = group_by_rule(run_);
    write_filters(groups);
    if (groups.empty()) {
      out_ << fmt::format("<p>{}.</p>\n", escape_markup(quiet_verdict(run_)));
    }
    bool is_first = true;
    for (const RuleGroup& group : groups) {
      write_group(group, is_first);
      is_first = false;
    }
    out_ << "<p id=\"none\" hidden>No finding is like that. "
            "<button type=\"reset\" form=\"filters\">Show all</button></p>\n";
    if (most_page_findings < run_.diagnostics.size()) {
      out_ << fmt::format("<p>{} not shown here.</p>\n",
                          count_text(run_.diagnostics.size() - most_page_findings, "more finding"));
    }
    out_ << "</section>\n";
  }

 private:
  /// Shown by the script only: without it there is nothing that filters.
  void write_filters(const std::vector<RuleGroup>& groups) {
    out_ << "<form id=\"filters\" aria-label=\"Filters\" hidden>\n";
    for (const Severity severity : page_severities) {
      const std::size_t count = count_of(run_, severity);
      if (count == 0) continue;
      out_ << fmt::format(
          "<label><input type=\"checkbox\" name=\"severity\" value=\"{0}\" checked> {0} "
          "({1})</label>\n",
          to_string(severity), count);
    }
    out_ << "<label>Rule <select id=\"rule\"><option value=\"\">all</option>";
    for (const RuleGroup& group : groups) {
      out_ << fmt::format("<option>{}</option>", escape_markup(group.id));
    }
    out_ << "</select></label>\n"
            "<input type=\"search\" id=\"search\" placeholder=\"Search (press /)\" "
            "aria-label=\"Search the findings\">\n"
            "<button type=\"reset\">Show all</button>\n"
            "<output id=\"shown\" aria-live=\"polite\"></output>\n</form>\n";
  }

  [[nodiscard]] std::string place_text(Span span) const {
    return location_text(run_, span) + printable(origin_note(run_, span));
  }

  void write_group(const RuleGroup& group, bool is_open) {
    const Diagnostic& first = run_.diagnostics[group.members.front()];
    const std::string id = escape_markup(group.id);
    const std::string_view severity = to_string(group.severity);
    const std::string count =
        group.members.size() == 1
            ? ""
            : fmt::format(" <span class=\"count\">{}</span>", group.members.size());
    out_ << fmt::format(
        "<details class=\"group {0}\" id=\"of-{1}\" data-rule=\"{1}\"{2}><summary><span "
        "class=\"badge {0}\">{0}</span> <strong>{1}</strong>{3} <span class=\"said\">{4}</span>"
        "</summary>\n<p class=\"quiet\">{5} <a href=\"#rule-{1}\">About the rule</a></p>\n",
        severity, id, is_open ? " open" : "", count, prose_html(first.message),
        prose_html(first.rule->summary));
    bool is_first = true;
    for (const std::size_t i : group.members) {
      write_finding(i, first, is_first);
      is_first = false;
    }
    out_ << "</details>\n";
  }

  /// In the line that stays when it is folded: the place, and what it says that the first of its
  /// rule does not.
  [[nodiscard]] std::string summary_html(const Diagnostic& diagnostic, const Diagnostic& first,
                                         bool says_the_same) {
    std::string html = fmt::format("<small>{}</small>", escape_markup(place_text(diagnostic.span)));
    if (diagnostic.severity != first.severity) {
      html += fmt::format(" {}", to_string(diagnostic.severity));
    }
    if (&diagnostic == &first) return html;
    if (!says_the_same) return html + " " + prose_html(diagnostic.message);
    const std::string_view name = name_in(diagnostic.message);
    if (name != name_in(first.message))
      html += fmt::format(" <code>{}</code>", escape_markup(name));
    return html;
  }

  void write_finding(std::size_t at, const Diagnostic& first, bool is_open) {
    const Diagnostic& diagnostic = run_.diagnostics[at];
    const bool says_the_same = without_names(diagnostic.message) == without_names(first.message);
    const bool is_alike = &diagnostic != &first && says_the_same;
    out_ << fmt::format(
        "<details class=\"finding{}\" id=\"finding-{}\" "
        "data-severity=\"{}\"{}><summary>{}</summary>"
        "\n",
        is_alike ? " alike" : "", at + 1, to_string(diagnostic.severity), is_open ? " open" : "",
        summary_html(diagnostic, first, says_the_same));
    if (!diagnostic.path.empty()) {
      out_ << "<p class=\"quiet\"><code>" << escape_element(diagnostic.path) << "</code></p>\n";
    }
    out_ << source_html(run_.sources.file(diagnostic.span), diagnostic.span);
    write_related(diagnostic);
    if (!diagnostic.help.empty()) {
      out_ << "<p><strong>Help:</strong> " << prose_html(diagnostic.help) << "</p>\n";
    }
    if (diagnostic.fix.has_value()) write_fix(*diagnostic.fix, at + 1);
    write_cells(at + 1);
    out_ << "</details>\n";
  }

  void write_related(const Diagnostic& diagnostic) {
    const std::size_t shown = places_shown(diagnostic.related);
    for (std::size_t i = 0; i < shown; ++i) {
      const Label& label = diagnostic.related[i];
      out_ << fmt::format("<p>{}, at <small>{}</small></p>\n", prose_html(label.message),
                          escape_markup(place_text(label.span)))
           << source_html(run_.sources.file(label.span), label.span);
    }
    if (shown < diagnostic.related.size()) {
      out_ << fmt::format("<p>{} not shown.</p>\n",
                          count_text(diagnostic.related.size() - shown, "more place"));
    }
  }

  void write_fix(const Fix& fix, std::size_t number) {
    out_ << fmt::format("<details id=\"fix-{}\"><summary>Fix ({}): {}</summary>\n{}</details>\n",
                        number, to_string(fix.safety), prose_html(fix.title), fix_html(run_, fix));
  }

  /// Where in the matrix one sees what it does.
  void write_cells(std::size_t number) {
    const auto found = links_.cells_of_finding.find(number);
    if (found == links_.cells_of_finding.end()) return;
    out_ << "<p class=\"quiet\">In the matrix:";
    const std::vector<CellNumber>& cells = found->second;
    const std::size_t shown = std::min(cells.size(), most_linked_cells);
    for (std::size_t i = 0; i < shown; ++i) {
      out_ << fmt::format("{} <a href=\"#{}\">{}</a>", i == 0 ? "" : ",", cell_id(cells[i]),
                          escape_markup(cell_text(cells[i])));
    }
    if (shown < cells.size()) out_ << fmt::format(" and {} more", cells.size() - shown);
    out_ << "</p>\n";
  }

  [[nodiscard]] std::string cell_text(CellNumber cell) const {
    std::size_t row = cell.first - 1;
    for (const PlacementMatrix& matrix : run_.placements) {
      if (row < matrix.rows.size()) {
        return fmt::format("{} on {}", matrix.rows[row].workload, matrix.nodes[cell.second]);
      }
      row -= matrix.rows.size();
    }
    return {};
  }

  const Run& run_;
  const PageLinks& links_;
  std::ostream& out_;
};

}  // namespace

void write_findings_section(const Run& run, const PageLinks& links, std::ostream& out) {
  FindingsPart(run, links, out).write();
}

std::size_t count_of(const Run& run, Severity severity) {
  switch (severity) {
    case Severity::info:
      return run.summary.infos;
    case Severity::warning:
      return run.summary.warnings;
    case Severity::error:
      return run.summary.errors;
  }
  return 0;
}

}  // namespace gpulint
