#pragma once

#include <ostream>

#include "compiler/ir/document.h"

namespace gpulint {

/// Every scalar and key of a document as JSON lines: `{"doc", "path", "start", "end", "style",
/// "text"}`. `path` is a JSON pointer of keys and indices, with `#key` behind those of keys;
/// `start` and `end` are byte offsets of the text, quotes included.
void write_spans(const Document& document, std::ostream& out);

}  // namespace gpulint
