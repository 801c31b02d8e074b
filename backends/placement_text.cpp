#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/ink.h"
#include "backends/placement_output.h"
#include "backends/unicode.h"
#include "compiler/schedule/best_fit.h"

namespace gpulint {
namespace {

/// More columns than this cannot be read side by side.
constexpr std::size_t max_columns = 6;
constexpr std::size_t max_listed_nodes = 5;

[[nodiscard]] std::string class_name(const Placement& placement, const NodeClass& nodes) {
  const std::string& first = placement.cluster().pools[nodes.pools.front()].name;
  const std::string name = first.empty() ? "(unnamed)" : first;
  return nodes.pools.size() == 1 ? name : fmt::format("{} +{}", name, nodes.pools.size() - 1);
}

/// A taint that a pool may have beside those that it lists.
[[nodiscard]] bool is_nameless(const Reason& reason) {
  return reason.kind == ReasonKind::untolerated_taint && reason.detail.empty();
}

/// What keeps a pod off one node as the scheduler tells it: the reasons of the first plugin that
/// objects, and of taints the first (kube-scheduler runs TaintToleration, NodeAffinity,
/// NodeResourcesFit, DynamicResources in turn). `holds` tells certain reasons from those that may
/// hold.
[[nodiscard]] std::vector<const Reason*> blocking_reasons(const Assessment& assessment,
                                                          Ternary holds) {
  using enum ReasonKind;
  const std::vector<std::vector<ReasonKind>> plugins{
      {unschedulable},
      {untolerated_taint},
      {node_affinity, node_affinity_error, node_selector},
      {insufficient_resource},
      {unallocated_claims}};
  for (const std::vector<ReasonKind>& kinds : plugins) {
    std::vector<const Reason*> blocking;
    for (const Reason& reason : assessment.reasons) {
      const bool is_of_plugin = std::ranges::find(kinds, reason.kind) != kinds.end();
      if (!is_of_plugin || reason.holds != holds || is_nameless(reason)) continue;
      if (reason.kind == insufficient_resource || blocking.empty()) blocking.push_back(&reason);
    }
    if (!blocking.empty()) return blocking;
  }
  return {};
}

[[nodiscard]] std::string blocking_text(const Assessment& assessment, Ternary holds) {
  std::string text;
  for (const Reason* reason : blocking_reasons(assessment, holds)) {
    text += (text.empty() ? "" : ", ") + scheduler_text(*reason);
  }
  return text;
}

[[nodiscard]] std::string cell_text(const PlacementReport& report, std::size_t workload,
                                    std::size_t node_class) {
  if (!report.refusals[workload].empty()) return "rejected";
  const Obstacle* const obstacle = first_of(report.obstacles[workload]);
  if (obstacle != nullptr && obstacle->certainty == Certainty::certain) {
    return std::string(effect_of(obstacle->gate));
  }
  const Assessment assessment = report.placement.assess(workload, node_class);
  const bool is_open = assessment.fits == Ternary::unknown;
  std::string text = blocking_text(assessment, is_open ? Ternary::unknown : Ternary::yes);
  switch (assessment.fits) {
    case Ternary::yes:
      return obstacle == nullptr ? "fits" : fmt::format("open: {}", effect_of(obstacle->gate));
    case Ternary::unknown:
      return text.empty() ? "open" : "open: " + text;
    case Ternary::no:
      return text.empty() ? "does not fit" : text;
  }
  return text;
}

using Rows = std::vector<std::vector<std::string>>;

[[nodiscard]] std::vector<std::size_t> column_widths(const Rows& table) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : table) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], cell_width(row[i]));
    }
  }
  return widths;
}

[[nodiscard]] std::size_t table_width(const Rows& table) {
  std::size_t width = 0;
  for (const std::size_t column : column_widths(table)) width += column + 2;
  return width < 2 ? 0 : width - 2;
}

/// A verdict in its colour.
[[nodiscard]] std::string painted(std::string_view cell, const Presentation& presentation) {
  const Ink ink = cell == "fits"             ? Ink::added
                  : cell.starts_with("open") ? Ink::warning
                                             : Ink::removed;
  return paint(ink, cell, presentation);
}

void write_table(const Rows& table, const Presentation& presentation, std::ostream& out) {
  const std::vector<std::size_t> widths = column_widths(table);
  bool is_header = true;
  for (const std::vector<std::string>& row : table) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += i == 0 || is_header ? row[i] : painted(row[i], presentation);
      if (i + 1 < row.size()) line.append(widths[i] - cell_width(row[i]) + 2, ' ');
    }
    out << line << '\n';
    is_header = false;
  }
}

[[nodiscard]] Rows matrix_of(const PlacementReport& report) {
  const Placement& placement = report.placement;
  Rows table;
  std::vector<std::string>& header = table.emplace_back(1, "");
  for (const NodeClass& nodes : placement.classes()) {
    header.push_back(printable(class_name(placement, nodes)));
  }
  for (const auto& [w, name] : report.rows) {
    std::vector<std::string> row{printable(name)};
    for (std::size_t c = 0; c < placement.classes().size(); ++c) {
      row.push_back(printable(cell_text(report, w, c)));
    }
    table.push_back(std::move(row));
  }
  return table;
}

/// Nodes grouped by what they say to one workload.
void write_list(const PlacementReport& report, const PlacementReport::Row& row,
                const Presentation& presentation, std::ostream& out) {
  const Placement& placement = report.placement;
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t c = 0; c < placement.classes().size(); ++c) {
    std::vector<std::size_t>& pools = groups[cell_text(report, row.workload, c)];
    std::ranges::copy(placement.classes()[c].pools, std::back_inserter(pools));
  }
  out << printable(row.name) << '\n';
  for (const auto& [text, pools] : groups) {
    std::vector<std::string> names;
    for (const std::size_t pool : pools) {
      if (names.size() < max_listed_nodes) names.push_back(placement.cluster().pools[pool].name);
    }
    if (pools.size() > names.size()) names.emplace_back("…");
    out << fmt::format("  {} {}: {} ({})\n", pools.size(), pools.size() == 1 ? "node" : "nodes",
                       painted(printable(text), presentation),
                       printable(fmt::format("{}", fmt::join(names, ", "))));
  }
}

/// `nodes`, or `nodes and pools` where some are not made yet.
[[nodiscard]] std::string_view noun_of(const Cluster& cluster) {
  const auto is_node = [](const NodePool& pool) { return pool.source == NodePool::Source::node; };
  return std::ranges::all_of(cluster.pools, is_node) ? "nodes" : "nodes and pools";
}

/// Why a workload runs nowhere, as the scheduler's event puts it.
[[nodiscard]] std::string event_text(const Placement& placement, std::size_t workload) {
  std::map<std::string, std::size_t> counts;
  for (std::size_t c = 0; c < placement.classes().size(); ++c) {
    const Assessment assessment = placement.assess(workload, c);
    for (const Reason* reason : blocking_reasons(assessment, Ternary::yes)) {
      const bool is_about_node = reason->kind != ReasonKind::insufficient_resource &&
                                 reason->kind != ReasonKind::unallocated_claims;
      counts[(is_about_node ? "node(s) " : "") + scheduler_text(*reason)] +=
          placement.classes()[c].pools.size();
    }
  }
  std::vector<std::string> parts;
  for (const auto& [text, count] : counts) parts.push_back(fmt::format("{} {}", count, text));
  std::ranges::sort(parts);
  return fmt::format("0/{} {} are available: {}.", placement.cluster().pools.size(),
                     noun_of(placement.cluster()), fmt::join(parts, ", "));
}

/// Labels that Karpenter lets no pod select, and this one does.
[[nodiscard]] std::set<std::string> reserved_labels(const Placement& placement,
                                                    std::size_t workload) {
  std::set<std::string> labels;
  for (std::size_t c = 0; c < placement.classes().size(); ++c) {
    if (!placement.classes()[c].karpenter) continue;
    for (const Reason& reason : placement.assess(workload, c).reasons) {
      constexpr std::string_view reserved = "restricted-label:";
      if (reason.detail.starts_with(reserved)) labels.insert(reason.detail.substr(reserved.size()));
    }
  }
  return labels;
}

/// Workloads that run nowhere, and what the API server or Flyte refuses.
void write_notes(const PlacementReport& report, std::ostream& out) {
  const Placement& placement = report.placement;
  for (const auto& [w, row_name] : report.rows) {
    const std::string name = printable(row_name);
    for (const ApiProblem& problem : report.refusals[w]) {
      out << fmt::format("{}: refused by the API server: {}: {}\n", name, printable(problem.path),
                         printable(problem.detail));
    }
    for (const Obstacle& obstacle : report.obstacles[w]) {
      const bool is_certain = obstacle.certainty == Certainty::certain;
      out << fmt::format("{}: {}: {}\n", name,
                         is_certain ? effect_of(obstacle.gate) : "not certain",
                         printable(obstacle.reason));
    }
    if (best_fit(placement, w) != Ternary::no || placement.classes().empty()) continue;
    out << fmt::format("{}: {}\n", name, printable(event_text(placement, w)));
    for (const std::string& label : reserved_labels(placement, w)) {
      out << fmt::format(
          "{}: the label `{}` is reserved, and Karpenter rejects pods that select it; select "
          "`karpenter.sh/nodepool`\n",
          name, printable(label));
    }
  }
  for (const flyte::CompiledPod* pod : report.refused_tasks) {
    out << fmt::format("task {}: refused by Flyte ({}): {}\n", printable(pod->task),
                       pod->error_stage, printable(pod->error));
  }
}

/// How many workloads have a place.
void write_verdict(const PlacementReport& report, const Presentation& presentation,
                   std::ostream& out) {
  const std::size_t count = report.names.size();
  std::size_t fitting = 0;
  for (std::size_t w = 0; w < count; ++w) {
    fitting += best_of(report, w) == Ternary::yes ? 1 : 0;
  }
  const bool all_fit = fitting == count && report.refused_tasks.empty();
  out << paint(all_fit ? Ink::added : Ink::error,
               fmt::format("placed: {} of {}", fitting,
                           count_text(count + report.refused_tasks.size(), "workload")),
               presentation)
      << '\n';
}

/// Side by side where a line holds it, else a list for each workload.
void write_cells(const PlacementReport& report, const Presentation& presentation,
                 std::ostream& out) {
  const Placement& placement = report.placement;
  if (placement.classes().size() <= max_columns) {
    const Rows table = matrix_of(report);
    const bool is_narrow = presentation.width == 0 || table_width(table) <= presentation.width;
    if (placement.classes().empty()) return;
    if (is_narrow) return write_table(table, presentation, out);
  }
  for (const PlacementReport::Row& row : report.rows) write_list(report, row, presentation, out);
}

}  // namespace

void emit_placement_text(const std::vector<PlacementReport>& reports,
                         const Presentation& presentation, std::ostream& out) {
  const bool is_terminal = presentation.width > 0;
  for (const PlacementReport& report : reports) {
    if (!report.cluster.empty()) out << fmt::format("# {}\n", printable(report.cluster));
    if (is_terminal) {
      write_verdict(report, presentation, out);
      write_notes(report, out);
    }
    write_cells(report, presentation, out);
    if (!is_terminal) write_notes(report, out);
  }
}

}  // namespace gpulint
