#pragma once

#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/engine/selection.h"
#include "compiler/project/project.h"

namespace gpulint {

/// Replaces the findings of `unrendered-template` in the templates of charts by one finding at the
/// Chart.yaml of each chart whose templates or values name GPUs. Findings in templates without a
/// Chart.yaml among the inputs stay.
void fold_unrendered_charts(const Project& project, const Selection& selection,
                            std::vector<Diagnostic>& findings);

/// Drops the findings of `unrendered-template` in charts that were rendered: files with parts of
/// templates may be anywhere in a chart.
void drop_unrendered_files(const Project& project, std::vector<Diagnostic>& findings);

}  // namespace gpulint
