#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "backends/placement.h"
#include "compiler/pipeline.h"

namespace gpulint {

/// Whether a page also has the stories of `why`.
enum class Telling : std::uint8_t { placements, stories };

/// What pages show about workloads, with everything that it points into.
struct PageAnswers {
  Placements placed;
  std::vector<ReportStories> stories;  ///< One for each report; empty without stories.
  std::vector<PlacementMatrix> matrices;
  std::vector<std::string> notes;
  std::size_t unplaced = 0;  ///< Workloads in scopes without nodes.
};

/// Uses the same cluster facts as the rules. The project must outlive the result.
[[nodiscard]] PageAnswers answer_for_page(const Project& project, const Request& request,
                                          Telling telling);

}  // namespace gpulint
