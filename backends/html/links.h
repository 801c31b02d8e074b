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

/// A matrix row of the page, numbered from 1 through all matrices, and one of its cells, numbered
/// from 0.
using CellNumber = std::pair<std::size_t, std::size_t>;
/// A row and one of its workloads, numbered in the same way.
using WorkloadNumber = std::pair<std::size_t, std::size_t>;

/// Which findings (numbered from 1, as on the page) belong to which cells and workloads. A finding
/// belongs to a cell if its place is a line that the node does not satisfy, and to a workload if
/// its place is such a line or in the workload's object.
struct PageLinks {
  std::map<CellNumber, std::size_t> finding_of_cell;
  std::map<std::size_t, std::vector<CellNumber>> cells_of_finding;
  std::map<WorkloadNumber, std::vector<std::size_t>> findings_of_workload;
};

[[nodiscard]] PageLinks link_page(const Run& run);

/// The number of the first row of one of the page's matrices.
[[nodiscard]] std::size_t first_row_of(const Run& run, std::size_t matrix);

/// The page's anchor of a cell: `c3-0`.
[[nodiscard]] std::string cell_id(CellNumber cell);

}  // namespace gpulint
