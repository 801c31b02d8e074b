#pragma once

#include <cstdint>
#include <string_view>

#include "compiler/ir/document.h"
#include "compiler/ir/node.h"
#include "frontend/extent.h"

namespace gpulint {

/// Which bytes of the file the text of a scalar comes from. `file` is the text of the scalar's
/// file; a scalar of an embedded document is traced through all its hosts.
[[nodiscard]] TextOrigin trace_text(Node scalar, std::string_view file);

/// The file's offset of a byte of decoded text.
[[nodiscard]] std::uint32_t file_offset(const TextOrigin& origin, std::uint32_t decoded);

/// The same for a range: its end follows the last byte, not the one behind it.
[[nodiscard]] Extent file_extent(const TextOrigin& origin, Extent decoded);

}  // namespace gpulint
