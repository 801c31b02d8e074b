#pragma once

#include "compiler/cel/selector.h"
#include "compiler/engine/reporter.h"
#include "compiler/ir/node.h"

namespace gpulint::rules::device_selector {

/// Tells of a selector that the API server refuses why it does.
void report_invalid(Reporter& reporter, Node expression, const cel::Selector& selector);

}  // namespace gpulint::rules::device_selector
