#pragma once

#include <string_view>

#include "compiler/ir/document.h"
#include "frontend/stream.h"

namespace gpulint {

/// Reads the YAML that most files use into `document`, whose nodes are empty. It is many times
/// faster than parse_events() and produces the same tree, extents and comments. It knows block
/// mappings and sequences, scalars and flow collections on one line, and the simplest literal and
/// folded scalars. Returns false, and adds nothing, if the text contains anything else (anchors,
/// tags, tabs, scalars of several lines …) or an error; then parse_events() decides. It does not
/// read text above `---`.
[[nodiscard]] bool read_simple_yaml(std::string_view text, const DocumentText& where,
                                    Document& document);

}  // namespace gpulint
