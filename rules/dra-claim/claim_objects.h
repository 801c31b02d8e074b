#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"
#include "rules/support/dra_queries.h"

namespace gpulint::rules::dra_claim {

/// What is wrong with the requests of a ResourceClaim or ResourceClaimTemplate.
void check_claim_object(const Corpus& corpus, Reporter& reporter, const ClaimIndex& index,
                        const KubernetesObject& object);

}  // namespace gpulint::rules::dra_claim
