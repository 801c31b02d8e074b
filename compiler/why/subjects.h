#pragma once

#include <string>
#include <vector>

#include "compiler/place/placements.h"
#include "compiler/project/project.h"
#include "compiler/project/request.h"
#include "compiler/why/subject.h"

namespace gpulint {

/// A workload that `why` tells of, with the files around it.
struct WhySubject {
  why::Subject subject;
  const Scope* scope = nullptr;                       ///< Never null.
  const flyte::Installation* installation = nullptr;  ///< Of tasks; may be null.
  std::string key;  ///< Scope and name: equal in a project that was read again.
};

struct WhySubjects {
  std::vector<WhySubject> chosen;
  std::size_t known = 0;           ///< Workloads and tasks in all.
  std::vector<std::string> names;  ///< Of all of these, as they are printed.
  /// Where `chosen` is empty since the name that was asked for is of several: their names.
  std::vector<std::string> ambiguous;
};

/// Whether a request asks about some workloads or tasks by their names.
[[nodiscard]] inline bool names_workloads(const Request& request) {
  return !request.workload.empty() || !request.tasks.empty();
}

/// Those that the options name by --workload or --task; without these all. A name may be whole
/// (`Job/default/embed`, `Job/embed`), `task embed`, or a last part that is of one workload alone
/// (`default/embed`, `embed`).
[[nodiscard]] WhySubjects choose_subjects(const Placements& placed, const Request& request);

}  // namespace gpulint
