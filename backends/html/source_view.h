#pragma once

#include <string>
#include <string_view>

#include "backends/backend.h"

namespace gpulint {

/// The lines of a span as a numbered `<pre>`, the span marked, with some lines around it.
[[nodiscard]] std::string source_html(const SourceFile& file, Span span);

/// A unified diff as `<pre>` that can be copied as a patch; a shortened one has the class `cut`.
[[nodiscard]] std::string diff_html(std::string_view diff);

/// The edits of a fix as a unified diff.
[[nodiscard]] std::string fix_diff(const Run& run, const Fix& fix);

/// YAML or JSON as HTML: `<b>` keys, `<u>` quoted texts, numbers and the like, `<i>` comments.
[[nodiscard]] std::string colored_html(std::string_view text);

/// A message as HTML: everything escaped, text between backticks as `<code>`.
[[nodiscard]] std::string prose_html(std::string_view text);

}  // namespace gpulint
