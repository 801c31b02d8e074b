#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/harness/metamorphic.h"

/// Transforms of text that leave its values as they are written. Null where one does not apply.
namespace gpulint::test {

[[nodiscard]] std::optional<std::string> with_crlf(const std::string& text);
[[nodiscard]] std::optional<std::string> with_byte_order_mark(const std::string& text);
[[nodiscard]] std::optional<std::string> with_leading_marker(const std::string& text);
[[nodiscard]] std::optional<std::string> with_trailing_marker(const std::string& text);
[[nodiscard]] std::optional<std::string> without_final_newline(const std::string& text);
/// Between all lines that are not inside of a scalar; the comments read like broken values.
[[nodiscard]] std::optional<std::string> with_comment_lines(const std::string& text);
[[nodiscard]] std::optional<std::string> with_end_comments(const std::string& text);
[[nodiscard]] std::optional<std::string> with_blank_lines(const std::string& text);
[[nodiscard]] std::optional<std::string> indented_by_two(const std::string& text);

/// Around objects of the API; values and configuration have no other documents beside them.
[[nodiscard]] std::optional<std::string> with_documents_before(const std::string& text);
[[nodiscard]] std::optional<std::string> with_documents_behind(const std::string& text);
[[nodiscard]] std::optional<std::string> with_empty_documents(const std::string& text);
/// Files of something else: a Service, a definition of a kind, the values of another chart.
[[nodiscard]] Inputs unrelated_files();

}  // namespace gpulint::test
