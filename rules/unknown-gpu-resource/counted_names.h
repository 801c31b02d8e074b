#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::unknown_gpu_resource {

/// Names that quotas and queues count, of Kubernetes, Kueue, Volcano and the scheduler plugins: as
/// no pod asks for such a resource, nothing is counted, or nothing is let in.
void check_counted_names(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::unknown_gpu_resource
