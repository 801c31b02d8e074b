#pragma once

#include <vector>

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::unknown_to_autoscaler {

/// Tags that tell cluster-autoscaler of taints,
/// `k8s.io/cluster-autoscaler/node-template/taint/KEY`: its AWS provider reads `VALUE:EFFECT` and
/// passes over what has no known effect behind a colon (kubernetes/autoscaler 55c37cd5eb,
/// cloudprovider/aws/aws_manager.go, extractTaintsFromAsg). Those of GPUs are reported wherever
/// they stand; of groups of eksctl also taints that nodes do not have. `tagged`: the documents that
/// name the autoscaler's tags.
void check_taint_tags(const Corpus& corpus, const std::vector<const Document*>& tagged,
                      Reporter& reporter);

}  // namespace gpulint::rules::unknown_to_autoscaler
