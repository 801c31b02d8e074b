#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

/// What libFuzzer and replay.cpp call with each input. Returns 0; a failure aborts.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace gpulint::fuzz {

[[nodiscard]] inline std::string to_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace gpulint::fuzz
