#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::mig_strategy_mismatch {

/// A word that is no strategy, in values of NVIDIA's charts: the operator's API server refuses it,
/// the plugin does not start.
void check_words(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::mig_strategy_mismatch
