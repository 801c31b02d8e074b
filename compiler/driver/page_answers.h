#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "backends/placement.h"
#include "compiler/pipeline.h"

namespace gpulint {

/// Whether a page has the stories of `why`, too.
enum class Telling : std::uint8_t { placements, stories };

/// What pages say of workloads, with all that it points into.
struct PageAnswers {
  Placements placed;
  std::vector<ReportStories> stories;  ///< One for each report; empty where none are told.
  std::vector<PlacementMatrix> matrices;
  std::vector<std::string> notes;
  std::size_t unplaced = 0;  ///< Workloads in scopes without nodes.
};

/// Judged as the rules judge: what clusters add by all evidence counts. The project must outlive
/// the result.
[[nodiscard]] PageAnswers answer_for_page(const Project& project, const Request& request,
                                          Telling telling);

}  // namespace gpulint
