#pragma once

#include <vector>

#include "compiler/model/kinds/operator_pods.h"

namespace gpulint {

/// Pods whose one container an operator makes from `resources` beside the fields of a pod:
/// - NIMService, NIMCache and NIMPipeline (NVIDIA/k8s-nim-operator f63f74d7ad22,
///   api/apps/v1alpha1);
/// - the services of a DynamoGraphDeployment and a DynamoComponentDeployment (ai-dynamo/dynamo,
///   deploy/cloud/operator/api: `resources.limits.gpu`, `gpuType`, `custom`, `extraPodSpec`);
/// - the trainer of a TrainJob (kubeflow/trainer 8c0f5059bd51, pkg/apis/trainer/v1alpha1), which
///   has all else from its runtime (training_runtimes.h).
/// None of other kinds.
[[nodiscard]] std::vector<OperatorPod> read_component_pods(const KubernetesObject& object);

}  // namespace gpulint
