#pragma once

#include <vector>

#include "compiler/ir/document.h"
#include "compiler/model/objects.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// Completes the pods of KServe's InferenceServices and Kubeflow's TrainJobs with the runtime that
/// they name, if it is among the workloads. In a runtime itself, what it does not set is unknown.
/// - InferenceService, `predictor.model.runtime`: lists and scalars of the service replace those of
///   the runtime, mappings are merged (kserve pkg/controller/v1beta1/inferenceservice/utils
///   MergePodSpec, MergeRuntimeContainers: a strategic merge patch).
/// - TrainJob, `runtimeRef`: the pod whose job trains (kubeflow/trainer 8c0f5059bd51,
///   pkg/runtime/framework/plugins/jobset/builder.go: the label
///   `trainer.kubeflow.org/trainjob-ancestor-step: trainer`, the container `node`).
///   `resourcesPerNode` replaces the container's resources, overrides are added. Without the
///   runtime the rest is unknown.
void merge_runtimes(std::vector<Workload>& workloads);

/// Adds the controller's `workflowDefaults` to the pods of Argo Workflows, where their own workflow
/// sets nothing (argo-workflows 4.0, "Default Workflow Spec": ConfigMap
/// `workflow-controller-configmap`, or `controller.workflowDefaults` of the chart).
void add_workflow_defaults(const std::vector<const Document*>& documents,
                           std::vector<Workload>& workloads);

}  // namespace gpulint
