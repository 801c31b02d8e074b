#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/ir/document.h"

namespace gpulint::rules::unknown_chart_key {

/// Fields of pods in `singleuser` and `kubespawner_override` of zero-to-jupyterhub that have
/// another name there.
void check_notebooks(const Document& document, Reporter& reporter);

}  // namespace gpulint::rules::unknown_chart_key
