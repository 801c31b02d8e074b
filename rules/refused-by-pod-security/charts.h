#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::refused_by_pod_security {

/// Reports charts whose DaemonSets mount paths of the host (all that schedule/operands.h knows do)
/// and that something installs into a namespace which refuses them.
void check_charts(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::refused_by_pod_security
