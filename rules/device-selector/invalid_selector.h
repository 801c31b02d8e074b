#pragma once

#include "compiler/dra/objects.h"
#include "compiler/engine/reporter.h"

namespace gpulint::rules::device_selector {

/// Tells of a selector that the API server refuses why it does.
void report_invalid(Reporter& reporter, const dra::DeviceSelector& written);

}  // namespace gpulint::rules::device_selector
