#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "compiler/place/placements.h"
#include "compiler/project/project.h"
#include "compiler/project/request.h"
#include "compiler/why/story.h"
#include "compiler/why/subjects.h"

namespace gpulint {

/// What `why` explains.
struct WhyQuestion {
  std::vector<const WhySubject*> subjects;  ///< In the order of the stories.
  std::size_t unplaced = 0;  ///< Workloads for which a change is searched: many get fewer trials.
  std::vector<std::string> described;  ///< Inputs that are texts of `kubectl describe pod`.
};

struct Explanations {
  std::vector<why::Story> stories;
  bool is_cut_short = false;  ///< Some search for a change ended early: the inputs are large.
};

/// Each subject's story with the smallest change of files that was found, or why there is none.
[[nodiscard]] Explanations explain_workloads(const Project& project, const Placements& placed,
                                             const WhyQuestion& question, const Request& request,
                                             const LoadProject& load);

/// What is told of the workloads of one report.
struct ReportStories {
  std::map<std::size_t, why::Story> unplaced;  ///< By workload: those that do not surely fit.
  std::vector<why::Story> refused;             ///< Tasks for which there is no pod.
};

/// The same for a page, which shows all workloads: one entry for each report, for its first `rows`
/// workloads. Empty for scopes without nodes; of very many stories the first.
[[nodiscard]] std::vector<ReportStories> explain_unplaced(const Project& project,
                                                          const Placements& placed,
                                                          const Request& request,
                                                          const LoadProject& load,
                                                          std::size_t rows);

/// Tasks for which there is no pod.
[[nodiscard]] std::vector<why::Story> refused_stories(const PlacementReport& report);

}  // namespace gpulint
