#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus/corpus.h"

namespace gpulint::rules::daemonset_misses_gpu_nodes {

/// Device plugins whose selector no given Node meets, where nothing tells which of them have GPUs,
/// and a workload waits for what a plugin would advertise. Not of labels that a feature discovery
/// among the inputs may add.
void check_plugins_without_nodes(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::daemonset_misses_gpu_nodes
