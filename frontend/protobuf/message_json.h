#pragma once

#include <string>
#include <string_view>

#include "frontend/protobuf/flyteidl.h"

namespace gpulint::protobuf {

/// Appends a serialised message in protobuf's JSON, on one line: of it those fields that `kind`
/// has, as far as they are there. Returns why it cannot be told; empty where it is. Ends also for
/// what somebody made up: limits::message_nesting, limits::packaged_text_bytes.
[[nodiscard]] std::string_view append_message(std::string_view bytes, const flyteidl::Message& kind,
                                              std::string& out);

}  // namespace gpulint::protobuf
