#pragma once

#include <cstdint>

namespace gpulint {

/// A fact; `unknown` must never lead to a finding.
enum class Support : std::uint8_t { no, yes, unknown };

}  // namespace gpulint
