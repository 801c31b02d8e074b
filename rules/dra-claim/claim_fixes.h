#pragma once

#include <string>
#include <vector>

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"
#include "compiler/model/dra.h"
#include "compiler/model/workload.h"

namespace gpulint::rules::dra_claim {

/// A container's name of a claim that the pod does not list: to the pod's claim that it is a slip
/// of (safe: the API server refuses it as it is), else to the only one that no container uses.
void offer_listed_claim(const Corpus& corpus, Finding& finding, const PodSpec& pod,
                        const std::vector<DraProblem>& problems, const DraProblem& undeclared);

/// `deviceClassName` with what stands behind it below `exactly`, where only the request's name
/// stands before it. Nothing for the reverse.
void offer_nested_class(const Corpus& corpus, Finding& finding, Node misplaced);

}  // namespace gpulint::rules::dra_claim
