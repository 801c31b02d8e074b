#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::missing_runtime_class {

/// Pods that name the class `nvidia` where the nodes' old K3s makes none and nobody among the
/// inputs does: they are refused.
void check_absent_class(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::missing_runtime_class
