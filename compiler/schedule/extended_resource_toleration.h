#pragma once

#include <string>
#include <vector>

#include "compiler/model/workload.h"

namespace gpulint {

/// The tolerations of a pod after the admission plugin ExtendedResourceToleration.
struct AdmittedTolerations {
  std::vector<Toleration> tolerations;
  std::vector<std::string> added;  ///< Keys of those that were appended, sorted.
};

/// For each extended resource that containers and init containers request, sorted, the plugin adds
/// `{key: RESOURCE, operator: Exists, effect: NoSchedule}` and replaces an equal one. The node of
/// an added toleration is the key of the requested resource.
[[nodiscard]] AdmittedTolerations admit_extended_resources(const PodSpec& pod);

}  // namespace gpulint
