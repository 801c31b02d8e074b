#pragma once

#include <vector>

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus/corpus.h"

namespace gpulint::rules::unknown_to_autoscaler {

/// Tags that tell cluster-autoscaler of taints,
/// `k8s.io/cluster-autoscaler/node-template/taint/KEY`: its AWS provider reads `VALUE:EFFECT` and
/// passes over what has no known effect behind a colon (kubernetes/autoscaler 55c37cd5eb,
/// cloudprovider/aws/aws_manager.go, extractTaintsFromAsg). Those of GPUs are reported wherever
/// they stand; of groups of eksctl also taints that nodes do not have. `tagged`: the documents that
/// name the autoscaler's tags.
void check_taint_tags(const Corpus& corpus, const std::vector<const Document*>& tagged,
                      Reporter& reporter);

/// Tags of groups by which cluster-autoscaler knows a node that is not there yet,
/// `k8s.io/cluster-autoscaler/node-template/KIND/KEY` (kubernetes/autoscaler 55c37cd5eb,
/// cloudprovider/aws/aws_manager.go: `label`, `taint`, `resources`, `autoscaling-options`): kinds
/// that it does not read, wherever they stand; GPUs that the machine does not have, of groups of
/// eksctl and kOps; labels that eksctl's group gives another value. kOps writes labels and taints
/// of its groups over what its `cloudLabels` say (pkg/model/context.go, CloudTagsForInstanceGroup),
/// so that these are right whatever stands there. `tagged`: the documents that name such tags.
void check_hint_tags(const Corpus& corpus, const std::vector<const Document*>& tagged,
                     Reporter& reporter);

/// `resourceLimits.gpus` of OpenShift's ClusterAutoscaler, whose `type` is the value of the label
/// `cluster-api/accelerator` of the nodes that it bounds (OpenShift, «Applying autoscaling to a
/// cluster»; kubernetes/autoscaler, cloudprovider/clusterapi, GPULabel).
void check_gpu_limits(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::unknown_to_autoscaler
