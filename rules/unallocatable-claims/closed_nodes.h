#pragma once

#include "compiler/engine/reporter.h"
#include "rules/unallocatable-claims/refusals.h"

namespace gpulint::rules::unallocatable_claims {

/// Reports a pod whose claims some nodes serve, where all of those are closed for another reason:
/// what is told of the pod alone sees nodes without devices that would take it. Nothing of a pod
/// of which another rule says that no node takes it. `claims`: those of the workload, not empty;
/// `ground`: of the corpus.
void check_closed(const Corpus& corpus, Reporter& reporter, const Ground& ground,
                  const PodClaims& claims, const Workload& workload);

}  // namespace gpulint::rules::unallocatable_claims
