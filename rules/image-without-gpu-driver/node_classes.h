#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::image_without_gpu_driver {

/// Karpenter's EC2NodeClasses that take an image by its name or SSM parameter, for pools of nothing
/// but machines with NVIDIA GPUs. An `alias` finds the right image by itself.
void check_node_classes(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::image_without_gpu_driver
