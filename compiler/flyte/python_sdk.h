#pragma once

#include <cstdint>
#include <string_view>

namespace gpulint::flyte {

/// The SDK that a name comes from. Union's SDK re-exports flytekit's names.
enum class PythonSdk : std::uint8_t { none, flytekit, flyte2 };
[[nodiscard]] PythonSdk sdk_of(std::string_view name);

}  // namespace gpulint::flyte
