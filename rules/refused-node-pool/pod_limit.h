#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::refused_node_pool {

/// Reports a pool of GPU nodes whose nodes run no more pods than the DaemonSets that are surely on
/// each of them: `maxPods` of an EC2NodeClass, of Karpenter's older APIs and of AKS,
/// `maxPodsPerNode` of eksctl. What a cluster runs beside the inputs counts in addition.
void report_pod_limit(const Corpus& corpus, const NodePool& pool, Reporter& reporter);

}  // namespace gpulint::rules::refused_node_pool
