#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "backends/placement.h"
#include "compiler/base/source_file.h"
#include "compiler/model/pools/cluster.h"
#include "compiler/place/placement_report.h"

namespace gpulint {

/// `gpulint place --format json`. In very large clusters similar nodes share a place.
void emit_placement_json(const std::vector<PlacementReport>& reports, const SourceSet& sources,
                         std::ostream& out);

/// A matrix of workloads × nodes, with similar nodes in one column, in the scheduler's words. A
/// list instead if there are too many columns to read or for the terminal. On a terminal the
/// verdict comes first, and cells have colours if the presentation has them.
void emit_placement_text(const std::vector<PlacementReport>& reports,
                         const Presentation& presentation, std::ostream& out);

/// How many workloads of a matrix a page shows.
inline constexpr std::size_t most_page_rows = 500;

/// The matrix as the report shows it, cut to the size of a page.
[[nodiscard]] PlacementMatrix placement_matrix(const PlacementReport& report);

/// Rows that fit no node first; workloads with the same results share a row.
void arrange_rows(PlacementMatrix& matrix);

/// `n1 +3`: the first of `count` names.
[[nodiscard]] std::string first_of(std::string_view name, std::size_t count);

/// `Pod/default/a +2`: the first workload of a row, and how many more share it.
[[nodiscard]] std::string name_of(const PlacementMatrix::Row& row);

/// `gpulint nodes --format json`: the known facts of each node and pool, with their sources.
void emit_nodes_json(const std::vector<const Cluster*>& clusters, const SourceSet& sources,
                     std::ostream& out);

/// `gpulint nodes`: nodes that differ only by name are printed together. On a terminal the verdict
/// comes first: how many nodes have GPUs, and what they offer.
void emit_nodes_text(const std::vector<const Cluster*>& clusters, const SourceSet& sources,
                     const Presentation& presentation, std::ostream& out);

/// `gpulint debug admit`: the tolerations after ExtendedResourceToleration.
void emit_tolerations_json(const std::vector<Toleration>& tolerations, std::ostream& out);

}  // namespace gpulint
