#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::misspelt_reference {

/// DeviceClasses whose own name is a slip of one of NVIDIA's that claims ask for: no claim names
/// the one, and the other is not among the objects.
void check_misnamed_classes(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::misspelt_reference
