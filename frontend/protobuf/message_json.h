#pragma once

#include <string>
#include <string_view>

#include "frontend/protobuf/flyteidl.h"

namespace gpulint::protobuf {

/// Appends a serialised message as protobuf's JSON, on one line: the fields of `kind` that are
/// present. Returns the reason for a failure; empty on success. limits::message_nesting and
/// limits::packaged_text_bytes bound hostile input.
[[nodiscard]] std::string_view append_message(std::string_view bytes, const flyteidl::Message& kind,
                                              std::string& out);

}  // namespace gpulint::protobuf
