#pragma once

#include "compiler/engine/corpus.h"
#include "compiler/engine/reporter.h"

namespace gpulint::rules::invalid_node_pool {

/// Reports why Karpenter's CRD or its controller rejects the pool (ValidateRequirement and
/// validateTaints of karpenter/pkg/apis/v1, nodepool_validation.go).
void report_karpenter_flaws(const Corpus& corpus, const NodePool& pool, Reporter& reporter);

/// Reports why the requirements or `limits` of the pool leave no instance type.
void report_missing_machines(const Corpus& corpus, const NodePool& pool, Reporter& reporter);

/// Reports machine types that a provider does not have, or that cannot have a GPU.
void report_machine_flaws(const Corpus& corpus, const NodePool& pool, Reporter& reporter);

}  // namespace gpulint::rules::invalid_node_pool
