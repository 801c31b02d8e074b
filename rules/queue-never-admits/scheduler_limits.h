#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus/corpus.h"

namespace gpulint::rules::queue_never_admits {

/// Pods that want more GPUs than `limit` of their queue of KAI-Scheduler, or of one above it, lets
/// all of its pods have (kai-scheduler/KAI-Scheduler 026fe829f959, plugins/proportion,
/// max_allowed_check.go).
void check_kai_limits(const Corpus& corpus, Reporter& reporter);

/// Jobs whose first pods together want more than `capability` of their queue of Volcano's, or of
/// one above it.
void check_volcano_capabilities(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::queue_never_admits
