#pragma once

#include <string>
#include <string_view>

#include "backends/backend.h"

namespace gpulint {

/// The lines of a span as a `<pre>` with numbers, the span marked, and some lines around it.
[[nodiscard]] std::string source_html(const SourceFile& file, Span span);

/// A unified diff as `<pre>`, which copied is a patch; what is cut short has the class `cut`.
[[nodiscard]] std::string diff_html(std::string_view diff);

/// What a fix takes away and what it puts there, as a unified diff.
[[nodiscard]] std::string fix_diff(const Run& run, const Fix& fix);

/// A text of YAML or JSON: `<b>` keys, `<u>` quoted texts, numbers and the like, `<i>` comments.
[[nodiscard]] std::string colored_html(std::string_view text);

/// A message: everything escaped, what stands between backticks as `<code>`.
[[nodiscard]] std::string prose_html(std::string_view text);

}  // namespace gpulint
