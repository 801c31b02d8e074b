#pragma once

#include "compiler/engine/corpus.h"
#include "compiler/engine/reporter.h"

namespace gpulint::rules::alpha_gpu_api {

/// Reports annotations of pods and nodes that fields have replaced.
void check_annotations(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::alpha_gpu_api
