#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gpulint {

/// `2 errors`, `1 warning`.
[[nodiscard]] std::string count_text(std::size_t count, std::string_view noun);

}  // namespace gpulint
