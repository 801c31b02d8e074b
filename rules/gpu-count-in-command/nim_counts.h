#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::gpu_count_in_command {

/// NIMServices with fewer GPUs than their model is spread over: by `tensorParallelism` of the
/// NIMCache that they name («the minimum GPUs required for the model computations»,
/// NVIDIA/k8s-nim-operator f63f74d7ad22, nimcache_types.go), or by `NIM_TENSOR_PARALLEL_SIZE` or
/// the name of a profile (`NIM_MODEL_PROFILE`) in their environment. Services of several machines,
/// and devices that are claimed, are left out.
void check_nim(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::gpu_count_in_command
