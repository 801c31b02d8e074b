#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "frontend/document_text.h"

namespace gpulint {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Where a document's first line begins, behind that of its `---`: Kubernetes' reader drops a byte
/// order mark there.
[[nodiscard]] std::uint32_t first_line(std::string_view text, const DocumentText& document);

/// Splits a stream at `---` and `...` in column 0 without reading what is between them: markers end
/// a document whatever it holds, block scalars and quotes included. Text of comments and blank
/// lines alone joins the document after it; at the end of the stream it is a document of its own
/// (without content, for its comments' sake) unless it is blank. A stream that begins with a JSON
/// object is split behind each that another one follows.
[[nodiscard]] std::vector<DocumentText> split_stream(std::string_view text);

}  // namespace gpulint
