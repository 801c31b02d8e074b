#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/workload.h"

namespace gpulint::rules::bound_to_unfit_node {

/// Reports, once, a pod bound by name that asks for a share of a GPU which only a scheduler of its
/// own hands out. The pod's `nodeName` must be known.
void check_shares(Reporter& reporter, const Workload& workload);

/// The same for a claim made from a template. Claims are allocated by the scheduler (Kubernetes
/// documentation, Dynamic Resource Allocation, «Pre-scheduled Pods»), unless they are shared and
/// allocated already.
void check_claims(Reporter& reporter, const Workload& workload);

}  // namespace gpulint::rules::bound_to_unfit_node
