#pragma once

#include "compiler/model/workload.h"

namespace gpulint {

/// Leaves open where the pod may run as far as it does not say itself: another object, a base or a
/// controller fills it in.
void mark_missing_unknown(PodSpec& pod);

/// Adds what `other` says of where the pod may run and of what it takes: tolerations beside the
/// pod's own, labels under keys that it has not, the affinity where it has none.
void add_scheduling(PodSpec& pod, const PodSpec& other);

}  // namespace gpulint
