#pragma once

#include <string_view>

#include "compiler/ir/document.h"
#include "frontend/directives.h"
#include "frontend/stream.h"

namespace gpulint {

/// Parses the YAML of one document into `document`'s nodes, comments and errors. The only user of
/// yaml-cpp.
void parse_events(std::string_view text, const DocumentText& where, const TagHandles& handles,
                  Document& document);

}  // namespace gpulint
