#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/workload.h"
#include "rules/exceeds-quota/namespace_limits.h"

namespace gpulint::rules::exceeds_quota {

/// A quota of `cpu` or `memory` refuses pods with a container that does not set them: it demands
/// what it counts (Kubernetes 1.37, pkg/quota/v1/evaluator/core/pods.go, Constraints). Reports the
/// first such container of the workload.
void check_required(Reporter& reporter, const Workload& workload, const NamespaceLimits& limits,
                    Node quota);

}  // namespace gpulint::rules::exceeds_quota
