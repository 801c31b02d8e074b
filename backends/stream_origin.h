#pragma once

#include <string>
#include <string_view>

#include "backends/backend.h"

namespace gpulint {

/// The file that a place of a piped stream comes from; empty if the stream does not say.
[[nodiscard]] std::string_view origin_of(const Run& run, Span place);

/// ` (from charts/app/templates/pod.yaml)`, or nothing.
[[nodiscard]] std::string origin_note(const Run& run, Span place);

/// The message of a finding with its origin, for formats without a field for it.
[[nodiscard]] std::string message_with_origin(const Run& run, const Diagnostic& diagnostic);

}  // namespace gpulint
