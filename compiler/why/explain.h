#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/place/placements.h"
#include "compiler/project/project.h"
#include "compiler/project/request.h"
#include "compiler/why/check_events.h"
#include "compiler/why/story.h"
#include "compiler/why/subjects.h"

namespace gpulint {

/// Adds the command `gpulint why` to the help of a workload's first finding about placement, if
/// none of its findings has a fix, and `why` shows a change that was tried. Large projects stay as
/// they are: the trials would take longer than the check.
[[nodiscard]] std::vector<Diagnostic> point_to_changes(const Project& project,
                                                       const Request& request,
                                                       const LoadProject& load,
                                                       std::vector<Diagnostic> findings);

/// `all`: for programs. `brief`: what a person is shown.
enum class StoryDetail : std::uint8_t { all, brief };

struct Explanations {
  std::vector<why::Story> stories;
  bool is_cut_short = false;  ///< Some search for a change ended early.
};

/// The story of each chosen subject, with the smallest change of files that was found, or why there
/// is none. Tasks without a pod come last, unless the request names a workload. Workloads that fit
/// have a story only if the request or an event names them. If the user gave an event about named
/// pods, only their workloads have one. Brief stories are one per row (owner_rows.h), unless the
/// request names a workload.
[[nodiscard]] Explanations explain_workloads(const Project& project, const Placements& placed,
                                             const std::vector<WhySubject>& chosen,
                                             const CheckedEvents& events, StoryDetail detail,
                                             const Request& request, const LoadProject& load);

/// The stories for one report.
struct ReportStories {
  std::map<std::size_t, why::Story> unplaced;  ///< By workload: those that do not certainly fit.
  std::vector<why::Story> refused;             ///< Tasks that Flyte rejects.
};

/// The same for the HTML page, which shows all workloads: one entry for each report, for its first
/// `rows` workloads. Empty for scopes without nodes. Limited to the first 100 stories.
[[nodiscard]] std::vector<ReportStories> explain_unplaced(const Project& project,
                                                          const Placements& placed,
                                                          const Request& request,
                                                          const LoadProject& load,
                                                          std::size_t rows);

}  // namespace gpulint
