#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"
#include "rules/support/ray_queries.h"

namespace gpulint::rules::ray_gpu_count {

/// Without the parameter Ray finds the GPUs of its pod by itself; the autoscaler must know before
/// there is a pod.
void check_derived(const Corpus& corpus, Reporter& reporter, const RayCluster& cluster,
                   const RayGroup& group);

}  // namespace gpulint::rules::ray_gpu_count
