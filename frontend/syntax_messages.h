#pragma once

#include <string>
#include <string_view>

namespace gpulint {

/// What to tell a person where yaml-cpp says `message`: what stands there and what was expected.
[[nodiscard]] std::string syntax_message(std::string_view message);

}  // namespace gpulint
