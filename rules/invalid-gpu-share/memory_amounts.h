#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::invalid_gpu_share {

/// Reports limits of a GPU's memory, which are numbers of MiB, that were meant as bytes.
void check_memory(const Corpus& corpus, Reporter& reporter, const Workload& workload);

}  // namespace gpulint::rules::invalid_gpu_share
