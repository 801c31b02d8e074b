#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::refused_node_pool {

/// Reports a `gpuInstanceProfile` that AKS does not know, or of a machine whose GPUs cannot be
/// partitioned (Microsoft, «Create a multi-instance GPU node pool»: A100, H100 and H200).
void report_aks_profile(const Corpus& corpus, const NodePool& pool, Reporter& reporter);

}  // namespace gpulint::rules::refused_node_pool
