#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "frontend/document_text.h"

namespace gpulint {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Where a document's first line begins, after the line of its `---`: Kubernetes' parser drops a
/// byte order mark there.
[[nodiscard]] std::uint32_t first_line(std::string_view text, const DocumentText& document);

/// Splits a stream at `---` and `...` in column 0 without reading what is between them: markers end
/// a document even in block scalars and quotes. Comments and blank lines alone join the next
/// document. At the end of the stream they are a document of their own, without content, unless
/// they are blank. A stream that begins with a JSON object is split after each object that another
/// one follows.
[[nodiscard]] std::vector<DocumentText> split_stream(std::string_view text);

}  // namespace gpulint
