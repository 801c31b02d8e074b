#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/placement_output.h"
#include "backends/why_output.h"
#include "compiler/schedule/terms.h"

namespace gpulint {
namespace {

/// What a page of the report shows of a matrix.
constexpr std::size_t most_page_columns = 40;
/// How many cells are compared to find nodes with the same results.
constexpr std::size_t most_compared_cells = 20'000;
constexpr std::size_t most_members = 60;

[[nodiscard]] Verdict verdict_of(Ternary fits) {
  switch (fits) {
    case Ternary::yes:
      return Verdict::fits;
    case Ternary::unknown:
      return Verdict::open;
    case Ternary::no:
      return Verdict::refused;
  }
  return Verdict::open;
}

[[nodiscard]] ReasonGroup obstacle_of(ReasonKind kind) {
  switch (kind) {
    case ReasonKind::unschedulable:
      return ReasonGroup::unschedulable;
    case ReasonKind::untolerated_taint:
      return ReasonGroup::taint;
    case ReasonKind::node_affinity:
    case ReasonKind::node_affinity_error:
    case ReasonKind::node_selector:
      return ReasonGroup::label;
    case ReasonKind::insufficient_resource:
    case ReasonKind::unallocated_claims:
      return ReasonGroup::resource;
  }
  return ReasonGroup::none;
}

/// `gpu` of `nvidia.com/gpu`: the part before the last slash is the same in the whole cluster.
[[nodiscard]] std::string_view last_part(std::string_view key) {
  return key.substr(key.rfind('/') + 1);  // npos + 1 is 0
}

[[nodiscard]] std::string brief_of(const Term& term) {
  switch (obstacle_of(term.kind)) {
    case ReasonGroup::unschedulable:
      return term.key.starts_with("node.kubernetes.io") ? "cordoned" : "Karpenter";
    case ReasonGroup::taint:
      return fmt::format("taint {}", last_part(term.key));
    case ReasonGroup::label:
      return term.key.empty() ? "affinity" : fmt::format("label {}", last_part(term.key));
    case ReasonGroup::resource:
      if (term.kind == ReasonKind::unallocated_claims) return "claims";
      return fmt::format("{} {} < {}", last_part(term.key),
                         term.holds == Ternary::unknown ? "?" : term.actual.value_or("0"),
                         fmt::join(term.values, ""));
    case ReasonGroup::none:
      return "";
  }
  return "";
}

/// The deciding reasons: if a node certainly does not fit, the certain ones.
[[nodiscard]] std::vector<const Reason*> deciding(const Assessment& assessment) {
  std::vector<const Reason*> reasons;
  for (const Reason& reason : assessment.reasons) {
    if (assessment.fits == Ternary::no && reason.holds != Ternary::yes) continue;
    // a taint that a pool may have in addition to those it lists
    if (reason.kind == ReasonKind::untolerated_taint && reason.detail.empty()) continue;
    reasons.push_back(&reason);
  }
  return reasons;
}

/// A requirement with its value: for a key, its whole entry.
[[nodiscard]] Span place_of(Node demanded) {
  const Node written = demanded.written();
  const Node value = written.value();
  return (value ? value : written).entry_span();
}

/// Adds the terms of one reason, and returns it in words; for taints the reason is enough.
[[nodiscard]] std::string add_terms(const std::vector<Term>& terms, PlacementCell& cell) {
  std::string text;
  for (const Term& term : terms) {
    // in the scheduler's order, which is not that of the reasons
    const ReasonGroup obstacle = obstacle_of(term.kind);
    if (cell.obstacle == ReasonGroup::none || obstacle < cell.obstacle) {
      cell.obstacle = obstacle;
      cell.brief = brief_of(term);
    }
    if (term.demanded) cell.places.push_back(place_of(term.demanded));
    const bool is_said = obstacle == ReasonGroup::taint || obstacle == ReasonGroup::unschedulable;
    // for some labels Karpenter only says that pod and pool are incompatible
    const bool is_vague = obstacle == ReasonGroup::label && term.op.empty();
    if (is_said || is_vague) continue;
    text += (text.empty() ? "" : ", ") + term_text({.term = term, .origin = {}, .remark = {}});
  }
  return text;
}

[[nodiscard]] PlacementCell cell_of(const PlacementReport& report, std::size_t workload,
                                    std::size_t node_class) {
  const Placement& placement = report.placement;
  if (const auto& refusals = report.refusals[workload]; !refusals.empty()) {
    const std::string why = fmt::format("{}: {}", refusals.front().path, refusals.front().detail);
    return {.verdict = Verdict::refused,
            .reasons = {"rejected by the API server"},
            .brief = "rejected",
            .detail = fmt::format("rejected by the API server: {}", why)};
  }
  const Obstacle* const obstacle = first_of(report.obstacles[workload]);
  if (obstacle != nullptr && obstacle->certainty == Certainty::certain) {
    return {.verdict = Verdict::refused,
            .reasons = {std::string(effect_of(obstacle->gate))},
            .brief = std::string(effect_of(obstacle->gate)),
            .detail = obstacle->reason,
            .places = {place_of(obstacle->demand)}};
  }
  const Assessment assessment = placement.assess(workload, node_class);
  PlacementCell cell{verdict_of(assessment.fits), {}};
  if (obstacle != nullptr && cell.verdict == Verdict::fits) {
    return {.verdict = Verdict::open,
            .reasons = {std::string(effect_of(obstacle->gate))},
            .detail = obstacle->reason,
            .places = {place_of(obstacle->demand)}};
  }
  if (cell.verdict == Verdict::fits) return cell;
  for (const Reason* const reason : deciding(assessment)) {
    std::string text = scheduler_text(*reason);
    const std::string terms = add_terms(
        terms_of(*reason, placement.pod(workload), placement.classes()[node_class]), cell);
    if (std::ranges::find(cell.reasons, text) != cell.reasons.end()) continue;
    cell.detail += (cell.detail.empty() ? "" : "; ") + text;
    if (!terms.empty()) cell.detail += fmt::format(" ({})", terms);
    cell.reasons.push_back(std::move(text));
  }
  return cell;
}

/// One column: nodes that have the same results for every workload of the page.
struct Column {
  std::vector<PlacementCell> cells;
  std::vector<std::size_t> pools;
};

[[nodiscard]] std::string key_of(const std::vector<PlacementCell>& cells) {
  std::string key;
  for (const PlacementCell& cell : cells) {
    key += fmt::format("{}\n{}\n{}\n", static_cast<int>(cell.verdict), cell.brief,
                       fmt::join(cell.reasons, "\t"));
  }
  return key;
}

/// If the nodes of a column have different values, says which node has which.
void merge(const std::vector<PlacementCell>& cells, const std::string& first, Column& column) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::string& detail = column.cells[i].detail;
    const std::string remark = fmt::format(" (of {})", first);
    if (detail != cells[i].detail && !detail.ends_with(remark)) detail += remark;
  }
}

[[nodiscard]] std::string name_of(const Placement& placement, std::size_t pool) {
  const std::string& name = placement.cluster().pools[pool].name;
  return name.empty() ? "(unnamed)" : name;
}

/// The columns, in the order of their first nodes; `seen`: how many classes they combine.
[[nodiscard]] std::vector<Column> columns_of(const PlacementReport& report, std::size_t rows,
                                             std::size_t seen) {
  const Placement& placement = report.placement;
  std::vector<Column> columns;
  std::map<std::string, std::size_t> known;
  for (std::size_t c = 0; c < seen; ++c) {
    std::vector<PlacementCell> cells;
    for (std::size_t w = 0; w < rows; ++w) cells.push_back(cell_of(report, w, c));
    const std::vector<std::size_t>& pools = placement.classes()[c].pools;
    const auto [at, is_new] = known.emplace(key_of(cells), columns.size());
    if (is_new) {
      columns.push_back({std::move(cells), pools});
      continue;
    }
    Column& column = columns[at->second];
    merge(cells, name_of(placement, column.pools.front()), column);
    column.pools.insert(column.pools.end(), pools.begin(), pools.end());
  }
  return columns;
}

void add_column(const Placement& placement, Column column, PlacementMatrix& matrix) {
  const std::string first = name_of(placement, column.pools.front());
  const std::size_t more = column.pools.size() - 1;
  matrix.nodes.push_back(more == 0 ? first : fmt::format("{} +{}", first, more));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(column.pools.size(), most_members); ++i) {
    names.push_back(name_of(placement, column.pools[i]));
  }
  if (column.pools.size() > most_members) {
    names.push_back(fmt::format("and {} more", column.pools.size() - most_members));
  }
  matrix.members.push_back(more == 0 ? "" : fmt::format("{}", fmt::join(names, ", ")));
  for (std::size_t w = 0; w < matrix.rows.size(); ++w) {
    matrix.rows[w].cells.push_back(std::move(column.cells[w]));
  }
}

void count_workload(Verdict best, PlacementMatrix::Tally& tally) {
  ++tally.all;
  tally.fitting += best == Verdict::fits ? 1 : 0;
  tally.open += best == Verdict::open ? 1 : 0;
}

[[nodiscard]] PlacementMatrix::Row row_of(const PlacementReport& report, std::size_t workload) {
  PlacementMatrix::Row row{report.names[workload], {}};
  row.best = verdict_of(best_of(report, workload));
  const Node object = report.placement.workloads()[workload]->object;
  const bool is_written = object && report.compiled[workload] == nullptr;
  if (is_written) row.place = object.written().span();
  return row;
}

}  // namespace

PlacementMatrix placement_matrix(const PlacementReport& report) {
  const Placement& placement = report.placement;
  const std::size_t workloads = placement.workloads().size();
  const std::size_t rows = std::min(workloads, most_page_rows);
  PlacementMatrix matrix;
  matrix.cluster = report.cluster;
  for (std::size_t w = 0; w < rows; ++w) matrix.rows.push_back(row_of(report, w));
  matrix.more_rows = workloads - rows;
  for (std::size_t w = 0; w < workloads; ++w)
    count_workload(verdict_of(best_of(report, w)), matrix.tally);
  matrix.tally.all += report.refused_tasks.size();
  const std::size_t classes = placement.classes().size();
  const std::size_t compared =
      std::max(most_compared_cells / std::max<std::size_t>(rows, 1), most_page_columns);
  std::vector<Column> columns = columns_of(report, rows, std::min(classes, compared));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i < most_page_columns) {
      add_column(placement, std::move(columns[i]), matrix);
    } else {
      matrix.more_nodes += columns[i].pools.size();
    }
  }
  for (std::size_t c = compared; c < classes; ++c) {
    matrix.more_nodes += placement.classes()[c].pools.size();
  }
  return matrix;
}

}  // namespace gpulint
