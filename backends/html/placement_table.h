#pragma once

#include <cstddef>

#include <nlohmann/json.hpp>

#include "backends/html/links.h"
#include "backends/placement.h"

namespace gpulint {

/// Whether a letter represents each reason, because there are too many nodes for words.
[[nodiscard]] bool has_letters(const PlacementMatrix& matrix);

/// The table of workloads and nodes for the page's template. `first`: the page's number of its
/// first row. Null if it has no rows or columns.
[[nodiscard]] nlohmann::ordered_json table_json(const PlacementMatrix& matrix, std::size_t first,
                                                const PageLinks& links);

/// Names the nodes of a column and the workloads of a row, for devices without a pointer.
[[nodiscard]] nlohmann::ordered_json shared_json(const PlacementMatrix& matrix);

}  // namespace gpulint
