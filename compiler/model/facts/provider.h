#pragma once

#include <cstdint>

namespace gpulint {

/// The cloud that runs a cluster; `generic`: none of these.
enum class Provider : std::uint8_t { unknown, gke, eks, aks, generic };

}  // namespace gpulint
