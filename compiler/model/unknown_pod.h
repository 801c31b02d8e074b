#pragma once

#include "compiler/model/workload.h"

namespace gpulint {

/// Makes the scheduling fields that the pod does not set unknown: another object, a base or a
/// controller sets them.
void mark_missing_unknown(PodSpec& pod);

/// Adds the scheduling fields and resources of `other`: tolerations in addition to the pod's own,
/// labels with keys that it does not have, the affinity if it has none.
void add_scheduling(PodSpec& pod, const PodSpec& other);

}  // namespace gpulint
