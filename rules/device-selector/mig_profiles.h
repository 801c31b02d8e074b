#pragma once

#include "compiler/dra/objects.h"
#include "compiler/engine/reporter.h"

namespace gpulint::rules::device_selector {

/// Tells of a MIG profile that NVIDIA's driver publishes for no device, since no GPU has it; false:
/// there is none.
[[nodiscard]] bool report_mig_profile(Reporter& reporter, const dra::DeviceSelector& selector);

}  // namespace gpulint::rules::device_selector
