#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "compiler/place/placements.h"
#include "compiler/project/project.h"
#include "compiler/project/request.h"
#include "compiler/why/story.h"
#include "compiler/why/subjects.h"
#include "compiler/why/told_events.h"

namespace gpulint {

/// How much is told: all; what a person is shown.
enum class StoryDetail : std::uint8_t { all, brief };

struct Explanations {
  std::vector<why::Story> stories;
  bool is_cut_short = false;  ///< Some search for a change ended early: the inputs are large.
};

/// The story of each chosen subject, with the smallest change of files that was found, or why there
/// is none; behind them the tasks without a pod, unless the request names a workload. Where it
/// names none, what fits has no story. What an event that was given is about is told alone. A brief
/// story of an object is that of the row which shows it (owner_rows.h), unless the request names
/// it.
[[nodiscard]] Explanations explain_workloads(const Project& project, const Placements& placed,
                                             const std::vector<WhySubject>& chosen,
                                             const ToldEvents& events, StoryDetail detail,
                                             const Request& request, const LoadProject& load);

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

}  // namespace gpulint
