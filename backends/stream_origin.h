#pragma once

#include <string>
#include <string_view>

#include "backends/backend.h"

namespace gpulint {

/// The file that a place of a piped stream was made of; empty where nothing says.
[[nodiscard]] std::string_view origin_of(const Run& run, Span place);

/// ` (from charts/app/templates/pod.yaml)`, or nothing.
[[nodiscard]] std::string origin_note(const Run& run, Span place);

/// The message of a finding, for formats that have no other place for where it comes from.
[[nodiscard]] std::string message_with_origin(const Run& run, const Diagnostic& diagnostic);

}  // namespace gpulint
