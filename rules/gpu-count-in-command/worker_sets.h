#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::gpu_count_in_command {

/// A LeaderWorkerSet whose leader starts vLLM with more processes (tensor times pipeline
/// parallelism, each with a GPU of its own) than the `size` pods of a group have devices.
void check_worker_sets(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::gpu_count_in_command
