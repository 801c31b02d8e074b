#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "backends/backend.h"

namespace gpulint {

/// The most findings that a page shows.
constexpr std::size_t most_page_findings = 5'000;

/// A row of the page's matrices by its number, which counts through all of them from 1, and one of
/// its cells from 0.
using CellNumber = std::pair<std::size_t, std::size_t>;

/// Which findings (numbered from 1, as on the page) speak of which cells and rows: their place is
/// a line that asks for what the node does not have, or is in the workload's object.
struct PageLinks {
  std::map<CellNumber, std::size_t> finding_of_cell;
  std::map<std::size_t, std::vector<CellNumber>> cells_of_finding;
  std::map<std::size_t, std::vector<std::size_t>> findings_of_row;
};

[[nodiscard]] PageLinks link_page(const Run& run);

/// The number of the first row of one of the page's matrices.
[[nodiscard]] std::size_t first_row_of(const Run& run, std::size_t matrix);

/// `w3` of a row, `c3-0` of a cell: what the page's addresses end in.
[[nodiscard]] std::string row_id(std::size_t row);
[[nodiscard]] std::string cell_id(CellNumber cell);

}  // namespace gpulint
