#pragma once

#include <string>
#include <string_view>

namespace gpulint {

/// A key as a segment of a JSON pointer (RFC 6901): `~` is `~0`, `/` is `~1`.
[[nodiscard]] std::string escape_pointer_segment(std::string_view key);

}  // namespace gpulint
