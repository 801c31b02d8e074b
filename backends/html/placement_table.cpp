#include "backends/html/placement_table.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/placement_output.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_wide_columns = 12;  // wide enough for words
constexpr std::size_t columns_of_slice = 6;    // across a page
constexpr std::size_t most_open_rows = 40;     // without a scroll bar of their own

[[nodiscard]] std::string_view css_class(Verdict verdict) {
  return verdict == Verdict::fits ? "fits" : verdict == Verdict::open ? "open" : "no";
}

[[nodiscard]] std::string_view symbol_of(Verdict verdict) {
  return verdict == Verdict::fits ? "✓" : verdict == Verdict::open ? "?" : "✗";
}

[[nodiscard]] std::string_view letter_of(ReasonGroup obstacle) {
  switch (obstacle) {
    case ReasonGroup::unschedulable:
      return "C";
    case ReasonGroup::taint:
      return "T";
    case ReasonGroup::label:
      return "L";
    case ReasonGroup::resource:
      return "R";
    case ReasonGroup::none:
      break;
  }
  return "✗";
}

enum class Width : bool { words, letters };

[[nodiscard]] std::string chip_text(const PlacementCell& cell, Width width) {
  const bool is_open = cell.verdict == Verdict::open;
  if (width == Width::letters) return std::string(is_open ? "?" : letter_of(cell.obstacle));
  if (cell.brief.empty()) return is_open ? "? unknown" : "✗ no";
  return (is_open ? "? " : "") + cell.brief;
}

/// All workloads of a row; empty if it has only one.
[[nodiscard]] std::string members_of(const PlacementMatrix::Row& row) {
  if (row.workloads.size() == 1) return {};
  std::vector<std::string_view> names;
  for (const PlacementMatrix::Workload& workload : row.workloads) names.push_back(workload.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Workloads against nodes: a matrix of the run. With many nodes a letter represents each reason;
/// its sentence shows when a cell is pointed at, tapped or focused. On paper the table is split
/// into slices as wide as a page.
class TableModel {
 public:
  TableModel(const PlacementMatrix& matrix, std::size_t first, const PageLinks& links)
      : matrix_(matrix), first_(first), links_(links) {}

  [[nodiscard]] Json table() const {
    const std::size_t columns = matrix_.nodes.size();
    if (matrix_.rows.empty() || columns == 0) return nullptr;
    Json rows = Json::array();
    for (std::size_t i = 0; i < matrix_.rows.size(); ++i) rows.push_back(row(i));
    Json slices = Json::array();
    for (std::size_t at = 0; columns > columns_of_slice && at < columns; at += columns_of_slice) {
      slices.push_back(slice(at, std::min(at + columns_of_slice, columns)));
    }
    return {{"has_letters", has_letters(matrix_)},
            {"is_long", matrix_.rows.size() > most_open_rows},
            {"name", table_name()},
            {"nodes", nodes(0, columns)},
            {"rows", std::move(rows)},
            {"slices", std::move(slices)}};
  }

 private:
  [[nodiscard]] Json nodes(std::size_t begin, std::size_t end) const {
    Json nodes = Json::array();
    for (std::size_t i = begin; i < end; ++i) {
      nodes.push_back({{"name", matrix_.nodes[i]},
                       {"members", i < matrix_.members.size() ? matrix_.members[i] : ""}});
    }
    return nodes;
  }

  [[nodiscard]] std::string table_name() const {
    const std::string name = matrix_.cluster.empty() ? "" : " in " + matrix_.cluster;
    return fmt::format("Workloads and the nodes that they fit{}", name);
  }

  [[nodiscard]] static bool has_story(const PlacementMatrix::Row& row) {
    return row.workloads.front().story != nullptr;
  }

  [[nodiscard]] Json row(std::size_t at) const {
    const PlacementMatrix::Row& row = matrix_.rows[at];
    Json cells = Json::array();
    for (std::size_t i = 0; i < std::min(row.cells.size(), matrix_.nodes.size()); ++i) {
      cells.push_back(cell(row, row.cells[i], {first_ + at, i}));
    }
    return {{"number", first_ + at},         {"verdict", css_class(row.best)},
            {"symbol", symbol_of(row.best)}, {"workload", name_of(row)},
            {"members", members_of(row)},    {"story", has_story(row)},
            {"cells", std::move(cells)}};
  }

  [[nodiscard]] Json cell(const PlacementMatrix::Row& row, const PlacementCell& cell,
                          CellNumber number) const {
    const Width width{has_letters(matrix_)};
    const std::string node = width == Width::letters ? "" : matrix_.nodes[number.second];
    if (cell.verdict == Verdict::fits) {
      return {{"node", node}, {"fits", width == Width::letters ? "✓" : "✓ fits"}};
    }
    const auto found = links_.finding_of_cell.find(number);
    const bool is_linked = found != links_.finding_of_cell.end();
    std::string reasons;
    if (cell.detail.empty()) reasons = fmt::format("{}", fmt::join(cell.reasons, "; "));
    if (cell.detail.empty() && reasons.empty()) {
      reasons = cell.verdict == Verdict::open ? "the input files do not say what its machines offer"
                                              : "does not fit";
    }
    return {{"node", node},
            {"verdict", css_class(cell.verdict)},
            {"id", is_linked ? cell_id(number) : ""},
            {"target", is_linked        ? fmt::format("finding-{}", found->second)
                       : has_story(row) ? fmt::format("why-{}", number.first)
                                        : ""},
            {"text", chip_text(cell, width)},
            {"detail", cell.detail},
            {"reasons", reasons}};
  }

  [[nodiscard]] Json slice(std::size_t begin, std::size_t end) const {
    Json rows = Json::array();
    for (const PlacementMatrix::Row& row : matrix_.rows) {
      Json cells = Json::array();
      for (std::size_t i = begin; i < std::min(row.cells.size(), end); ++i) {
        const PlacementCell& cell = row.cells[i];
        cells.push_back(cell.verdict == Verdict::fits ? "✓ fits" : chip_text(cell, Width::words));
      }
      rows.push_back({{"verdict", css_class(row.best)},
                      {"workload", name_of(row)},
                      {"cells", std::move(cells)}});
    }
    return {{"nodes", nodes(begin, end)}, {"rows", std::move(rows)}};
  }

  const PlacementMatrix& matrix_;
  std::size_t first_;
  const PageLinks& links_;
};

}  // namespace

bool has_letters(const PlacementMatrix& matrix) { return matrix.nodes.size() > most_wide_columns; }

Json table_json(const PlacementMatrix& matrix, std::size_t first, const PageLinks& links) {
  return TableModel(matrix, first, links).table();
}

Json shared_json(const PlacementMatrix& matrix) {
  Json shared = Json::array();
  for (std::size_t i = 0; i < std::min(matrix.members.size(), matrix.nodes.size()); ++i) {
    if (matrix.members[i].empty()) continue;
    shared.push_back({{"name", matrix.nodes[i]}, {"members", matrix.members[i]}});
  }
  for (const PlacementMatrix::Row& row : matrix.rows) {
    if (row.workloads.size() == 1) continue;
    shared.push_back({{"name", name_of(row)}, {"members", members_of(row)}});
  }
  return shared;
}

}  // namespace gpulint
