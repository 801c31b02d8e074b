#pragma once

#include <string_view>

#include "compiler/ir/document.h"
#include "frontend/json_records.h"
#include "frontend/stream.h"

namespace gpulint {

/// Reads a document that is strict JSON (RFC 8259) into `document`, whose nodes are empty. False
/// where the text is something else, YAML for instance; nothing has been added then.
[[nodiscard]] bool read_json(std::string_view text, const DocumentText& where, Document& document,
                             const Reading& reading = {});

/// The same for JSON with comments of YAML behind it, and nothing else.
[[nodiscard]] bool read_commented_json(std::string_view text, const DocumentText& where,
                                       Document& document);

}  // namespace gpulint
