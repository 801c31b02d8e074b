#include "backends/html/links.h"

#include <algorithm>

#include <fmt/format.h>

namespace gpulint {
namespace {

/// The findings, the most severe first.
[[nodiscard]] std::vector<std::size_t> by_severity(const Run& run) {
  std::vector<std::size_t> order(std::min(run.diagnostics.size(), most_page_findings));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return run.diagnostics[a].severity > run.diagnostics[b].severity;
  });
  return order;
}

[[nodiscard]] bool overlaps_any(const std::vector<Span>& places, Span span) {
  return std::ranges::any_of(places, [&](Span place) { return place.overlaps(span); });
}

class Linker {
 public:
  explicit Linker(const Run& run) : run_(run), order_(by_severity(run)) {}

  [[nodiscard]] PageLinks link() && {
    std::size_t number = 0;
    for (const PlacementMatrix& matrix : run_.placements) {
      for (const PlacementMatrix::Row& row : matrix.rows) link_row(row, ++number);
    }
    return std::move(links_);
  }

 private:
  void link_row(const PlacementMatrix::Row& row, std::size_t number) {
    for (std::size_t c = 0; c < row.cells.size(); ++c) link_cell(row.cells[c], {number, c});
    for (std::size_t i = 0; i < row.workloads.size(); ++i) {
      const PlacementMatrix::Workload& workload = row.workloads[i];
      std::vector<std::size_t>& findings = links_.findings_of_workload[{number, i}];
      for (const std::size_t at : order_) {
        const Span span = run_.diagnostics[at].span;
        const bool is_inside = workload.place && workload.place->contains(span);
        if (is_inside || overlaps_any(workload.demands, span)) findings.push_back(at + 1);
      }
    }
  }

  void link_cell(const PlacementCell& cell, CellNumber number) {
    if (cell.verdict == Verdict::fits) return;
    const auto speaks_of_it = [&](std::size_t i) {
      return overlaps_any(cell.places, run_.diagnostics[i].span);
    };
    const auto found = std::ranges::find_if(order_, speaks_of_it);
    if (found == order_.end()) return;
    links_.finding_of_cell[number] = *found + 1;
    links_.cells_of_finding[*found + 1].push_back(number);
  }

  const Run& run_;
  std::vector<std::size_t> order_;
  PageLinks links_;
};

}  // namespace

PageLinks link_page(const Run& run) { return Linker(run).link(); }

std::size_t first_row_of(const Run& run, std::size_t matrix) {
  std::size_t row = 1;
  for (std::size_t i = 0; i < matrix; ++i) row += run.placements[i].rows.size();
  return row;
}

std::string cell_id(CellNumber cell) { return fmt::format("c{}-{}", cell.first, cell.second); }

}  // namespace gpulint
