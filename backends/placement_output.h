#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/placement.h"
#include "compiler/base/source_file.h"
#include "compiler/model/cluster.h"
#include "compiler/place/placement_report.h"

namespace gpulint {

/// `gpulint place --format json`. In very large clusters nodes that are alike share a place.
void emit_placement_json(const std::vector<PlacementReport>& reports, const SourceSet& sources,
                         std::ostream& out);

/// A matrix of workloads × nodes, alike nodes in one column, in the scheduler's words; a list
/// instead where there are more columns than can be read, or than the terminal holds. On a terminal
/// the verdict comes first, and cells are coloured where it takes colours.
void emit_placement_text(const std::vector<PlacementReport>& reports,
                         const Presentation& presentation, std::ostream& out);

/// How many workloads a page shows of a matrix.
inline constexpr std::size_t most_page_rows = 500;

/// The same as the report's matrix, cut where a page could not hold it.
[[nodiscard]] PlacementMatrix placement_matrix(const PlacementReport& report);

/// `gpulint nodes`: what is known of each pool, and where it is from.
void emit_nodes_json(const std::vector<const Cluster*>& clusters, const SourceSet& sources,
                     std::ostream& out);

/// Nodes that differ by nothing but their name stand together. On a terminal the verdict comes
/// first: how many have GPUs, and what they offer.
void emit_nodes_text(const std::vector<const Cluster*>& clusters, const SourceSet& sources,
                     const Presentation& presentation, std::ostream& out);

/// `gpulint debug admit`: the tolerations after ExtendedResourceToleration.
void emit_tolerations_json(const std::vector<Toleration>& tolerations, std::ostream& out);

}  // namespace gpulint
