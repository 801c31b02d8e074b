#pragma once

#include <set>
#include <string_view>

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::misplaced_resources {

/// Reports a field that its place does not know, where a field that decides about GPUs is meant.
/// `workload` is the pod that it is about; it may be null.
void check_unknown_field(const Corpus& corpus, Reporter& reporter, Node key, std::string_view place,
                         const Workload* workload);

/// Reports fields of the pod that are misspelt, or stand around it; each that is not `told` yet.
void check_fields(const Corpus& corpus, Reporter& reporter, const Workload& workload,
                  std::set<Span>& told);

/// Reports names of resources among Dynamo's own words for amounts, `gpu` and `custom` (ai-dynamo/
/// dynamo, deploy/cloud/operator/api/dynamo/common/common.go): the API server drops them.
void report_dynamo_amounts(Reporter& reporter, const Workload& workload);

}  // namespace gpulint::rules::misplaced_resources
