#include "backends/html/sections.h"

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/backend.h"
#include "backends/html/links.h"
#include "backends/html/source_view.h"
#include "backends/html/stories.h"
#include "backends/html/yaml_colors.h"
#include "backends/ink.h"
#include "backends/markdown.h"
#include "backends/markup.h"
#include "backends/rule_table.h"

namespace gpulint {
namespace {

constexpr std::size_t most_wide_columns = 12;  // that have room for words

constexpr std::size_t columns_of_slice = 6;  // across a page

[[nodiscard]] std::string_view css_class(Verdict verdict) {
  switch (verdict) {
    case Verdict::fits:
      return "fits";
    case Verdict::open:
      return "open";
    case Verdict::refused:
      return "no";
  }
  return "";
}

[[nodiscard]] std::string_view letter_of(Obstacle obstacle) {
  switch (obstacle) {
    case Obstacle::unschedulable:
      return "C";
    case Obstacle::taint:
      return "T";
    case Obstacle::label:
      return "L";
    case Obstacle::resource:
      return "R";
    case Obstacle::none:
      return "✗";
  }
  return "";
}

enum class Width { words, letters };

[[nodiscard]] Width width_of(const PlacementMatrix& matrix) {
  return matrix.nodes.size() > most_wide_columns ? Width::letters : Width::words;
}

[[nodiscard]] std::string chip_text(const PlacementCell& cell, Width width) {
  const bool is_open = cell.verdict == Verdict::open;
  if (width == Width::letters) return std::string(is_open ? "?" : letter_of(cell.obstacle));
  if (cell.brief.empty()) return is_open ? "? open" : "✗ no";
  return (is_open ? "? " : "") + escape_markup(cell.brief);
}

/// What the scheduler says, and what is demanded and there.
[[nodiscard]] std::string sentence_html(const PlacementCell& cell) {
  if (!cell.detail.empty()) return prose_html(cell.detail);
  const std::string text = fmt::format("{}", fmt::join(cell.reasons, "; "));
  if (!text.empty()) return escape_markup(text);
  return cell.verdict == Verdict::open ? "what its machines offer is not in these files"
                                       : "does not fit";
}

class Table {
 public:
  Table(const PlacementMatrix& matrix, std::size_t first, const PageLinks& links, std::ostream& out)
      : matrix_(matrix), first_(first), links_(links), width_(width_of(matrix)), out_(out) {}

  void write() {
    const bool is_sliced = matrix_.nodes.size() > columns_of_slice;
    out_ << fmt::format(
        "<div class=\"scroll{}\" role=\"region\" aria-label=\"Placement\" tabindex=\"0\">\n"
        "<table class=\"placement{}\">",
        is_sliced ? " whole" : "", width_ == Width::letters ? " letters" : "");
    write_head(0, matrix_.nodes.size());
    for (std::size_t row = 0; row < matrix_.rows.size(); ++row) write_row(row);
    out_ << "</tbody></table></div>\n";
    for (std::size_t at = 0; is_sliced && at < matrix_.nodes.size(); at += columns_of_slice) {
      write_slice(at, std::min(at + columns_of_slice, matrix_.nodes.size()));
    }
  }

 private:
  void write_head(std::size_t begin, std::size_t end) {
    out_ << "<thead><tr><th scope=\"col\">workload</th>";
    for (std::size_t i = begin; i < end; ++i) {
      const bool is_group = i < matrix_.members.size() && !matrix_.members[i].empty();
      out_ << "<th scope=\"col\""
           << (is_group ? fmt::format(" title=\"{}\"", escape_markup(matrix_.members[i])) : "")
           << "><span>" << escape_markup(matrix_.nodes[i]) << "</span></th>";
    }
    out_ << "</tr></thead><tbody>\n";
  }

  void write_row(std::size_t at) {
    const PlacementMatrix::Row& row = matrix_.rows[at];
    const std::size_t number = first_ + at;
    const std::string name = escape_markup(row.workload);
    out_ << fmt::format("<tr id=\"{}\"><th scope=\"row\" class=\"{}\">", row_id(number),
                        css_class(row.best))
         << (row.story == nullptr ? name : fmt::format("<a href=\"#why-{}\">{}</a>", number, name))
         << "</th>";
    for (std::size_t i = 0; i < std::min(row.cells.size(), matrix_.nodes.size()); ++i) {
      write_cell(row, row.cells[i], {number, i});
    }
    out_ << "</tr>\n";
  }

  void write_cell(const PlacementMatrix::Row& row, const PlacementCell& cell, CellNumber number) {
    if (cell.verdict == Verdict::fits) {
      out_ << (width_ == Width::letters ? "<td class=\"fits\">✓</td>"
                                        : "<td class=\"fits\">✓ fits</td>");
      return;
    }
    const auto found = links_.finding_of_cell.find(number);
    const bool is_linked = found != links_.finding_of_cell.end();
    const std::string target = is_linked              ? fmt::format("finding-{}", found->second)
                               : row.story != nullptr ? fmt::format("why-{}", number.first)
                                                      : row_id(number.first);
    out_ << fmt::format("<td class=\"{}\"{}><a href=\"#{}\">{}<i>{}</i></a></td>",
                        css_class(cell.verdict),
                        is_linked ? fmt::format(" id=\"{}\"", cell_id(number)) : "", target,
                        chip_text(cell, width_), sentence_html(cell));
  }

  void write_slice(std::size_t begin, std::size_t end) {
    out_ << "<table class=\"placement slice\">";
    write_head(begin, end);
    for (const PlacementMatrix::Row& row : matrix_.rows) {
      out_ << fmt::format("<tr><th scope=\"row\" class=\"{}\">{}</th>", css_class(row.best),
                          escape_markup(row.workload));
      for (std::size_t i = begin; i < std::min(row.cells.size(), end); ++i) {
        const PlacementCell& cell = row.cells[i];
        out_ << "<td>" << (cell.verdict == Verdict::fits ? "✓ fits" : chip_text(cell, Width::words))
             << "</td>";
      }
      out_ << "</tr>\n";
    }
    out_ << "</tbody></table>\n";
  }

  const PlacementMatrix& matrix_;
  std::size_t first_;
  const PageLinks& links_;
  Width width_;
  std::ostream& out_;
};

/// Who stands behind the columns of several nodes, for those who cannot point at their heads.
void write_members(const PlacementMatrix& matrix, std::size_t number, std::ostream& out) {
  std::string items;
  for (std::size_t i = 0; i < matrix.members.size(); ++i) {
    if (matrix.members[i].empty()) continue;
    items += fmt::format("<li><strong>{}</strong>: {}</li>\n", escape_markup(matrix.nodes[i]),
                         escape_markup(matrix.members[i]));
  }
  if (items.empty()) return;
  out << fmt::format(
      "<details class=\"members\" id=\"members-{}\"><summary>Nodes that share a column</summary>"
      "<ul>\n{}</ul></details>\n",
      number, items);
}

/// Workloads against nodes: the run's matrix of that number. Where there are many nodes a
/// letter stands for each reason, whose sentence shows over a cell that is pointed at, tapped or
/// focused; on paper the table comes in slices as wide as a page. The run's presentation must be
/// plain.
void write_matrix(const Run& run, std::size_t number, const PageLinks& links, std::ostream& out) {
  const PlacementMatrix& matrix = run.placements[number];
  const std::size_t first = first_row_of(run, number);
  if (!matrix.cluster.empty()) out << "<h3>" << escape_markup(matrix.cluster) << "</h3>\n";
  if (!matrix.rows.empty() && !matrix.nodes.empty()) Table(matrix, first, links, out).write();
  write_members(matrix, number, out);
  if (matrix.more_nodes + matrix.more_rows == 0) return;
  out << fmt::format("<p class=\"quiet\">{} and {} are not shown.</p>\n",
                     count_text(matrix.more_nodes, "more node"),
                     count_text(matrix.more_rows, "more workload"));
}

/// What the letters and colours of the matrices mean.
void write_legend(const Run& run, std::ostream& out) {
  const bool has_letters = std::ranges::any_of(run.placements, [](const PlacementMatrix& matrix) {
    return width_of(matrix) == Width::letters;
  });
  const auto explain = [&](std::string_view css, std::string_view mark, std::string_view meaning) {
    out << fmt::format("<span><b class=\"{}\">{}</b> {}</span> ", css, mark, meaning);
  };
  out << "<p class=\"legend\">";
  explain("fits", "✓", "fits");
  explain("no", "✗", "does not");
  explain("open", "?", "the node pool leaves it open");
  if (has_letters) {
    explain("no", "T", "taint");
    explain("no", "L", "label");
    explain("no", "R", "too little of a resource");
    explain("no", "C", "cordoned or closed");
  }
  out << "</p>\n";
}

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
