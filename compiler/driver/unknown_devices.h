#pragma once

#include <string>
#include <vector>

#include "compiler/project/project.h"

namespace gpulint {

/// A line for each declared task whose accelerator neither Flyte nor a known node calls so, and
/// that is nearly a name which Flyte knows; ready to print. Any name is a device's for Flyte, so
/// that this is no finding.
[[nodiscard]] std::vector<std::string> describe_unknown_devices(const Project& project);

}  // namespace gpulint
