#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "backends/placement.h"
#include "compiler/driver/placements.h"
#include "compiler/driver/why_change.h"
#include "compiler/project/project.h"
#include "compiler/project/request.h"
#include "compiler/why/story.h"

namespace gpulint {

/// A subject's story with the smallest change of files that was found, or why there is none.
[[nodiscard]] why::Story tell_with_change(ChangeSearch& search, const WhySubject& subject,
                                          const Request& request);

/// Tasks for which there is no pod.
[[nodiscard]] std::vector<why::Story> refused_stories(const PlacementReport& report);

/// Whether a page has the stories of `why`, too.
enum class Telling { placements, stories };

/// What pages say of workloads, with all that it points into.
struct PageAnswers {
  Placements placed;
  std::deque<why::Story> stories;  ///< Of workloads that fit nowhere; of very many, the first.
  std::vector<PlacementMatrix> matrices;
  std::vector<std::string> notes;
  std::size_t unplaced = 0;  ///< Workloads in scopes without nodes.
};

/// Judged as the rules judge: what clusters add by all evidence counts. The project must outlive
/// the result.
[[nodiscard]] PageAnswers answer_for_page(const Project& project, const Request& request,
                                          Telling telling);

}  // namespace gpulint
