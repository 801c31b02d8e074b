#pragma once

#include <cstdint>
#include <string_view>

#include "compiler/ir/document.h"
#include "compiler/ir/node.h"
#include "frontend/extent.h"

namespace gpulint {

/// The bytes of the file that a scalar's text comes from. `file` is the text of the scalar's file;
/// a scalar of an embedded document is traced through all its hosts.
[[nodiscard]] TextOrigin trace_text(Node scalar, std::string_view file);

/// The offset in the file of a byte of decoded text.
[[nodiscard]] std::uint32_t file_offset(const TextOrigin& origin, std::uint32_t decoded);

/// The same for a range: its end is the byte after the last one of the file, not of the text.
[[nodiscard]] Extent file_extent(const TextOrigin& origin, Extent decoded);

}  // namespace gpulint
