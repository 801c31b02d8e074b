#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus/corpus.h"

namespace gpulint::rules::invalid_gpu_share {

/// `gpu-memory` where KAI-Scheduler knows of no GPU how much it has: it reads the label
/// `nvidia.com/gpu.memory` of nodes, and takes 100 MiB where there is none
/// (kai-scheduler/KAI-Scheduler 72de64fc8eca, pkg/scheduler/api/node_info/node_info.go,
/// DefaultGpuMemory). Judged by Nodes as a cluster answers them.
void check_memory_label(const Corpus& corpus, Reporter& reporter, const LabelEntry& memory);

/// `gpu-memory` (MiB) beyond that label of every GPU node that may take the pod.
void check_memory_amount(const Corpus& corpus, Reporter& reporter, const Workload& workload,
                         const LabelEntry& memory);

/// Reports limits of a GPU's memory, which are numbers of MiB, that were meant as bytes.
void check_memory(const Corpus& corpus, Reporter& reporter, const Workload& workload);

}  // namespace gpulint::rules::invalid_gpu_share
