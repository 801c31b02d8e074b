#pragma once

#include <string>
#include <string_view>

namespace gpulint {

/// As one word of a POSIX shell: in single quotes where the shell would read more in it.
[[nodiscard]] std::string shell_word(std::string_view text);

}  // namespace gpulint
