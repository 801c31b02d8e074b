#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "backends/emitters.h"
#include "backends/ink.h"
#include "backends/stream_origin.h"
#include "backends/unicode.h"
#include "backends/uri.h"
#include "compiler/base/counted.h"

namespace gpulint {
namespace {

constexpr std::size_t most_rows = 500;  // the page may have 1 MiB (docs.github.com, job summaries)
constexpr std::size_t most_nodes = 20;
constexpr std::size_t longest_cell = 400;

/// Text for a table cell of GitHub's Markdown, without markup, mentions or links.
[[nodiscard]] std::string cell(std::string_view text) {
  std::string result;
  for (const char c : printable(shorten(text, longest_cell))) {
    if (std::string_view("\\`*_[]()#!|<>&~@:").find(c) == std::string_view::npos) {
      result.push_back(c);
    } else {
      result += fmt::format("&#{};", static_cast<int>(c));
    }
  }
  return result;
}

/// A message: text between backticks stays code, the rest is plain.
[[nodiscard]] std::string prose_cell(std::string_view text) {
  std::string result;
  bool in_code = false;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('`', at), text.size());
    const std::string part = cell(text.substr(at, end - at));
    result += in_code && end < text.size() ? fmt::format("<code>{}</code>", part) : part;
    in_code = !in_code;
    at = end + 1;
  }
  return result;
}

[[nodiscard]] std::string_view symbol_of(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "🔵 info";
    case Severity::warning:
      return "🟡 warning";
    case Severity::error:
      return "🔴 error";
  }
  return "";
}

void write_findings(const Run& run, std::ostream& out) {
  out << "| | rule | place | finding |\n|---|---|---|---|\n";
  std::size_t left = most_rows;
  for (const Severity level : {Severity::error, Severity::warning, Severity::info}) {
    for (const Diagnostic& diagnostic : run.diagnostics) {
      if (diagnostic.severity != level || left == 0) continue;
      --left;
      const SourceFile& file = run.sources.file(diagnostic.span);
      const std::string place = fmt::format("{}:{}", repository_path(run, file.path()),
                                            file.position(diagnostic.span.begin).line);
      out << fmt::format("| {} | {} | {} | {} |\n", symbol_of(level), cell(diagnostic.rule->id),
                         cell(place), prose_cell(message_with_origin(run, diagnostic)));
    }
  }
  if (run.diagnostics.size() > most_rows) {
    out << fmt::format("\n{} not shown.\n",
                       count_text(run.diagnostics.size() - most_rows, "more finding"));
  }
}

[[nodiscard]] std::string verdict_cell(const PlacementCell& placement) {
  switch (placement.verdict) {
    case Verdict::fits:
      return "✅";
    case Verdict::open:
      return "❔";
    case Verdict::refused:
      break;
  }
  std::string reasons;
  for (const std::string& reason : placement.reasons) reasons += "<br>" + cell(reason);
  return "❌" + reasons;
}

void write_placement(const PlacementMatrix& matrix, std::ostream& out) {
  const std::size_t columns = std::min(matrix.nodes.size(), most_nodes);
  out << "\n### Placement" << (matrix.cluster.empty() ? "" : ": " + cell(matrix.cluster))
      << "\n\n| workload |";
  for (std::size_t i = 0; i < columns; ++i) out << ' ' << cell(matrix.nodes[i]) << " |";
  out << "\n|---|";
  for (std::size_t i = 0; i < columns; ++i) out << "---|";
  out << '\n';
  const std::size_t rows = std::min(matrix.rows.size(), most_rows);
  for (std::size_t row = 0; row < rows; ++row) {
    out << "| " << cell(name_of(matrix.rows[row])) << " |";
    for (std::size_t i = 0; i < std::min(columns, matrix.rows[row].cells.size()); ++i) {
      out << ' ' << verdict_cell(matrix.rows[row].cells[i]) << " |";
    }
    out << '\n';
  }
  const std::size_t more_nodes = matrix.nodes.size() - columns + matrix.more_nodes;
  const std::size_t more_rows = matrix.rows.size() - rows + matrix.more_rows;
  if (more_nodes + more_rows > 0) {
    out << fmt::format("\n{} and {} not shown.\n", count_text(more_nodes, "node"),
                       count_text(more_rows, "workload"));
  }
}

}  // namespace

/// The page for $GITHUB_STEP_SUMMARY: findings, then the placement matrix.
void emit_markdown(const Run& run, std::ostream& out) {
  const Summary& all = run.summary;
  out << "### gpulint\n\n";
  for (const RunError& error : run.errors) {
    const std::string file = error.file.empty() ? "" : error.file + ": ";
    out << fmt::format("❌ The check failed: {}\n\n", prose_cell(file + error.message));
  }
  out << fmt::format("{}, {} and {} in {}.\n", count_text(all.errors, "error"),
                     count_text(all.warnings, "warning"), count_text(all.infos, "info"),
                     count_text(all.files, "file"));
  if (!run.diagnostics.empty()) {
    out << '\n';
    write_findings(run, out);
  }
  for (const PlacementMatrix& matrix : run.placements) write_placement(matrix, out);
}

}  // namespace gpulint
