#pragma once

#include <string>
#include <vector>

#include "compiler/place/placements.h"
#include "compiler/project/project.h"
#include "compiler/project/request.h"
#include "compiler/why/subject.h"

namespace gpulint {

/// A workload that `why` explains, with its scope.
struct WhySubject {
  why::Subject subject;
  const Scope* scope = nullptr;                       ///< Never null.
  const flyte::Installation* installation = nullptr;  ///< Of a task; may be null.
  std::string key;  ///< Scope and name: the same when the project is read again.
};

struct WhySubjects {
  std::vector<WhySubject> chosen;
  std::size_t known = 0;           ///< Number of workloads and tasks.
  std::vector<std::string> names;  ///< Names of all, as printed.
  /// If the requested name matches several workloads: their names; `chosen` is then empty.
  std::vector<std::string> ambiguous;
};

/// Whether a request names workloads or tasks.
[[nodiscard]] inline bool names_workloads(const Request& request) {
  return !request.workload.empty() || !request.tasks.empty();
}

/// The workloads that --workload or --task names; without these options all. A name is complete
/// (`Job/default/embed`, `Job/embed`), `task embed`, or a unique last part (`default/embed`,
/// `embed`).
[[nodiscard]] WhySubjects choose_subjects(const Placements& placed, const Request& request);

}  // namespace gpulint
