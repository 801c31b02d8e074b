#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::gpu_count_in_command {

/// `torchrun --nnodes N` where all that start it with as many have fewer pods than N: the first
/// ones wait for the others until they give up.
void check_node_counts(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::gpu_count_in_command
