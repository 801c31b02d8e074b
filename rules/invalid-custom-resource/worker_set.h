#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::invalid_custom_resource {

/// Reports what LeaderWorkerSets of GPU pods are refused for: groups that `subGroupSize` does not
/// divide, and words that a field does not take (kubernetes-sigs/lws v0.3.0 to 060ab4da17ee,
/// pkg/webhooks/leaderworkerset_webhook.go, api/leaderworkerset/v1).
void check_worker_sets(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::invalid_custom_resource
