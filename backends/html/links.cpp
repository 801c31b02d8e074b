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
    std::vector<std::size_t>& findings = links_.findings_of_row[number];
    for (const std::size_t i : order_) {
      if (row.place && row.place->contains(run_.diagnostics[i].span)) findings.push_back(i + 1);
    }
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      const auto linked = links_.finding_of_cell.find({number, c});
      if (linked == links_.finding_of_cell.end()) continue;
      if (std::ranges::find(findings, linked->second) == findings.end()) {
        findings.push_back(linked->second);
      }
    }
  }

  void link_cell(const PlacementCell& cell, CellNumber number) {
    if (cell.verdict == Verdict::fits) return;
    const auto speaks_of_it = [&](std::size_t i) {
      return std::ranges::any_of(
          cell.places, [&](Span place) { return place.overlaps(run_.diagnostics[i].span); });
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

std::string row_id(std::size_t row) { return fmt::format("w{}", row); }
std::string cell_id(CellNumber cell) { return fmt::format("c{}-{}", cell.first, cell.second); }

}  // namespace gpulint
