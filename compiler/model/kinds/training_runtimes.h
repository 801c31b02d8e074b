#pragma once

#include <vector>

#include "compiler/model/workload.h"

namespace gpulint {

/// Gives each TrainJob's trainer what the TrainingRuntime or ClusterTrainingRuntime that it names
/// says of the pod whose job trains (kubeflow/trainer 8c0f5059bd51,
/// pkg/runtime/framework/plugins/jobset/builder.go: the label
/// `trainer.kubeflow.org/trainjob-ancestor-step: trainer`, the container `node`):
/// `resourcesPerNode` replaces the container's, overrides are added to it. Without the runtime the
/// rest is open, and so is what runtimes leave to their jobs.
void merge_training_runtimes(std::vector<Workload>& workloads);

}  // namespace gpulint
