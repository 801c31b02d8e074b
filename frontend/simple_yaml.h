#pragma once

#include <string_view>

#include "compiler/ir/document.h"
#include "frontend/stream.h"

namespace gpulint {

/// Reads the YAML that most files are written in into `document`, whose nodes are empty, many times
/// faster than parse_events() and with the same tree, extents and comments: block mappings and
/// sequences, scalars and flow collections on one line, literal and folded scalars of the simplest
/// kind. False where the text holds anything else (anchors, tags, tabs, scalars of several lines …)
/// or anything wrong; then nothing was added, and parse_events() decides. Text above `---` is not
/// read.
[[nodiscard]] bool read_simple_yaml(std::string_view text, const DocumentText& where,
                                    Document& document);

}  // namespace gpulint
