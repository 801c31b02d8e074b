#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/placement_output.h"
#include "backends/why_output.h"
#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/facts/product_label.h"
#include "compiler/schedule/terms.h"
#include "compiler/why/pool_names.h"

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

/// The deciding reasons in the scheduler's order: if a node certainly does not fit, the certain
/// ones.
[[nodiscard]] std::vector<const Reason*> deciding(const Assessment& assessment) {
  std::vector<const Reason*> reasons;
  for (const Reason& reason : assessment.reasons) {
    if (assessment.fits == Ternary::no && reason.holds != Ternary::yes) continue;
    // a taint that a pool may have in addition to those it lists
    if (reason.kind == ReasonKind::untolerated_taint && reason.detail.empty()) continue;
    reasons.push_back(&reason);
  }
  std::ranges::stable_sort(reasons, [](const Reason* a, const Reason* b) {
    return obstacle_of(a->kind) < obstacle_of(b->kind);
  });
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

/// What people call the GPUs of nodes with this label: `A100-SXM4-80GB`; empty: it names none.
[[nodiscard]] std::string product_of(const PoolLabel& label) {
  if (label.known != PoolLabel::Known::exact) return {};
  std::string_view value = label.values.front();
  if (label.key == product_label) {
    if (value.starts_with("NVIDIA-")) value.remove_prefix(std::string_view("NVIDIA-").size());
    return std::string(value);
  }
  const std::vector<const DeviceName*> names = find_device(value);
  const bool is_one = !names.empty() && std::ranges::all_of(names, [&](const DeviceName* name) {
    return name->product == names.front()->product;
  });
  return is_one ? std::string(names.front()->product) : "";
}

/// What a Node is, for those who do not know its name: `A100-SXM4-80GB × 8`, or its machine type;
/// empty: its labels do not say.
[[nodiscard]] std::string kind_of(const NodePool& pool) {
  if (pool.source != NodePool::Source::node) return {};
  std::string product;
  std::string machine;
  for (const PoolLabel& label : pool.labels) {
    if (product.empty() || label.key == product_label) product = product_of(label);
    if (label.key == "node.kubernetes.io/instance-type" && label.known == PoolLabel::Known::exact) {
      machine = label.values.front();
    }
  }
  for (const ResourceEntry& entry : pool.allocatable) {
    if (!is_gpu_resource(entry.name.value) || !entry.amount.is_known()) continue;
    const std::string amount = entry.amount.value().to_string();
    if (amount != "0" && !product.empty()) return fmt::format("{} × {}", product, amount);
  }
  return machine;
}

/// What all nodes of a column are: `A100-SXM4-80GB × 8, 4 nodes`; empty if they differ.
[[nodiscard]] std::string kind_of(const Cluster& cluster, const std::vector<std::size_t>& pools) {
  const std::string kind = kind_of(cluster.pools[pools.front()]);
  const bool is_one = std::ranges::all_of(
      pools, [&](std::size_t pool) { return kind_of(cluster.pools[pool]) == kind; });
  if (kind.empty() || !is_one) return {};
  return pools.size() == 1 ? kind : fmt::format("{}, {} nodes", kind, pools.size());
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
    merge(cells, why::name_of(placement.cluster().pools[column.pools.front()]), column);
    column.pools.insert(column.pools.end(), pools.begin(), pools.end());
  }
  return columns;
}

[[nodiscard]] std::string list_of(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), most_members);
  const std::string text = fmt::format("{}", fmt::join(std::span(names).first(shown), ", "));
  return shown == names.size() ? text : fmt::format("{}, and {} more", text, names.size() - shown);
}

void add_column(const Placement& placement, Column column, PlacementMatrix& matrix) {
  std::vector<std::string> names;
  for (const std::size_t pool : column.pools) {
    names.push_back(why::name_of(placement.cluster().pools[pool]));
  }
  const std::string kind = kind_of(placement.cluster(), column.pools);
  const bool is_free = std::ranges::find(matrix.nodes, kind) == matrix.nodes.end();
  const std::string first = first_of(names.front(), names.size());
  matrix.nodes.push_back(kind.empty() ? first
                         : is_free    ? kind
                                      : fmt::format("{} ({})", kind, first));
  matrix.members.push_back(matrix.nodes.back() == names.front() ? "" : list_of(names));
  for (std::size_t w = 0; w < matrix.rows.size(); ++w) {
    PlacementMatrix::Row& row = matrix.rows[w];
    row.cells.push_back(std::move(column.cells[w]));
    std::vector<Span>& demands = row.workloads.front().demands;
    for (const Span place : row.cells.back().places) {
      if (std::ranges::find(demands, place) == demands.end()) demands.push_back(place);
    }
  }
}

void count_workload(Verdict best, PlacementMatrix::Tally& tally) {
  ++tally.all;
  tally.fitting += best == Verdict::fits ? 1 : 0;
  tally.open += best == Verdict::open ? 1 : 0;
}

[[nodiscard]] PlacementMatrix::Row row_of(const PlacementReport& report, std::size_t workload) {
  PlacementMatrix::Row row{.workloads = {{report.names[workload]}},
                           .cells = {},
                           .best = verdict_of(best_of(report, workload))};
  const Node object = report.placement.workloads()[workload]->object;
  const bool is_written = object && report.compiled[workload] == nullptr;
  if (is_written) row.workloads.front().place = object.written().span();
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

void arrange_rows(PlacementMatrix& matrix) {
  std::ranges::stable_sort(matrix.rows,
                           [](const auto& a, const auto& b) { return a.best > b.best; });
  std::vector<PlacementMatrix::Row> rows;
  std::map<std::string, std::size_t> known;
  for (PlacementMatrix::Row& row : matrix.rows) {
    std::string key = key_of(row.cells);
    for (const PlacementCell& cell : row.cells) key += cell.detail + '\n';
    const auto [at, is_new] = known.emplace(std::move(key), rows.size());
    if (is_new) {
      rows.push_back(std::move(row));
      continue;
    }
    PlacementMatrix::Row& shared = rows[at->second];
    shared.workloads.push_back(std::move(row.workloads.front()));
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      std::vector<Span>& places = shared.cells[i].places;
      places.insert(places.end(), row.cells[i].places.begin(), row.cells[i].places.end());
    }
  }
  matrix.rows = std::move(rows);
}

std::string first_of(std::string_view name, std::size_t count) {
  return count == 1 ? std::string(name) : fmt::format("{} +{}", name, count - 1);
}

std::string name_of(const PlacementMatrix::Row& row) {
  return first_of(row.workloads.front().name, row.workloads.size());
}

}  // namespace gpulint
