#pragma once

#include <vector>

#include "compiler/engine/corpus.h"
#include "compiler/engine/reporter.h"

namespace gpulint::rules::unknown_to_autoscaler {

/// Reports taint tags, `k8s.io/cluster-autoscaler/node-template/taint/KEY`. The autoscaler's AWS
/// provider reads `VALUE:EFFECT` and ignores a value without a known effect after the colon
/// (kubernetes/autoscaler 55c37cd5eb, cloudprovider/aws/aws_manager.go, extractTaintsFromAsg).
/// Ignored tags about GPUs are reported in any file; for eksctl groups also taints that nodes do
/// not have. `tagged`: the documents that name the autoscaler's tags.
void check_taint_tags(const Corpus& corpus, const std::vector<const Document*>& tagged,
                      Reporter& reporter);

/// Reports wrong tags that describe nodes of an empty group,
/// `k8s.io/cluster-autoscaler/node-template/KIND/KEY` (kubernetes/autoscaler 55c37cd5eb,
/// cloudprovider/aws/aws_manager.go: `label`, `taint`, `resources`, `autoscaling-options`): unknown
/// kinds in any file, more GPUs than the machine has (eksctl, kOps), and labels to which eksctl's
/// group gives another value. Label and taint tags of kOps are not checked: kOps overwrites its
/// `cloudLabels` with the group's own (pkg/model/context.go, CloudTagsForInstanceGroup).
/// `tagged`: the documents that name such tags.
void check_hint_tags(const Corpus& corpus, const std::vector<const Document*>& tagged,
                     Reporter& reporter);

/// Reports entries of `resourceLimits.gpus` of OpenShift's ClusterAutoscaler whose `type` is not
/// the label `cluster-api/accelerator` of any node (OpenShift, "Applying autoscaling to a cluster";
/// kubernetes/autoscaler, cloudprovider/clusterapi, GPULabel).
void check_gpu_limits(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::unknown_to_autoscaler
