#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"
#include "compiler/model/kueue.h"

namespace gpulint::rules::queue_never_admits {

/// GPU workloads that ask for what the ClusterQueue behind their LocalQueue never gives: amounts,
/// labels and taints of its flavors.
void check_kueue_workloads(const Corpus& corpus, const KueueObjects& kueue, Reporter& reporter);

}  // namespace gpulint::rules::queue_never_admits
