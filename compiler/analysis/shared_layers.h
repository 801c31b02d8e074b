#pragma once

#include <vector>

#include "compiler/analysis/project.h"
#include "compiler/base/diagnostic.h"
#include "compiler/engine/selection.h"

namespace gpulint {

/// Takes away fixes about this cluster's nodes in a layer of values that other scopes share, where
/// a nearer layer could say it: the finding then names that one. A fix stays where every scope that
/// shares the layer has the finding.
void spare_shared_layers(const Project& project, const Scope& scope, const Selection& selection,
                         std::vector<Diagnostic>& findings);

}  // namespace gpulint
