#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/schedule/api/api_review.h"

namespace gpulint::rules::misplaced_resources {

/// Reports a mapping, list or scalar where the API takes something else.
void report_shape(Reporter& reporter, const ApiProblem& problem);

/// Reports amounts of GPUs that stand beside `limits`.
void report_bare_amounts(const Corpus& corpus, Reporter& reporter, const Container& container);

}  // namespace gpulint::rules::misplaced_resources
