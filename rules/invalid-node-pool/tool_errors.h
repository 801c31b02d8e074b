#pragma once

#include "compiler/engine/corpus.h"
#include "compiler/engine/reporter.h"

namespace gpulint::rules::invalid_node_pool {

/// Reports in plain words why eksctl, kOps, AKS, Config Connector, the API server (Cluster API) or
/// the kubelet rejects the pool (`NodePool::error`, `kubelet_error`), with a fix if the intended
/// value is clear.
void report_tool_error(const Corpus& corpus, const NodePool& pool, Reporter& reporter);

}  // namespace gpulint::rules::invalid_node_pool
