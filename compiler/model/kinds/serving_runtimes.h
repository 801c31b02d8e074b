#pragma once

#include <vector>

#include "compiler/model/workload.h"

namespace gpulint {

/// Completes pods of KServe's InferenceServices with the ServingRuntime or ClusterServingRuntime
/// that they name (`predictor.model.runtime`), where it is among the workloads, as KServe does:
/// lists and scalars of the service replace those of the runtime, mappings are merged
/// (kserve pkg/controller/v1beta1/inferenceservice/utils MergePodSpec, MergeRuntimeContainers: a
/// strategic merge patch). What neither says is not there. In a runtime itself what it leaves out
/// stays open.
void merge_serving_runtimes(std::vector<Workload>& workloads);

}  // namespace gpulint
