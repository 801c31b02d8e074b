#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"

namespace gpulint {

/// The part of Markdown that rule.md files use, as blocks.
struct MarkdownBlock {
  enum class Kind : std::uint8_t { heading, paragraph, item, code, row };
  Kind kind = Kind::paragraph;
  std::size_t level = 0;                ///< Of a heading, 1 to 6; nesting of an item, from 0.
  std::string marker = {};              ///< Of an item: `-`, or a number with its period.
  std::string text = {};                ///< Inline Markdown; the lines of a code block as they are.
  std::vector<std::string> cells = {};  ///< Of a table row; the first row of a table is its head.
};

/// A stretch of a line: text without its marks.
struct MarkdownInline {
  enum class Kind : std::uint8_t { text, code, strong, emphasis, link };
  Kind kind = Kind::text;
  std::string text;
  std::string target;  ///< Of a link.
};

/// Splits a document into blocks. Never fails: what it does not know is a paragraph.
[[nodiscard]] std::vector<MarkdownBlock> parse_markdown(std::string_view text);

/// Splits a line; marks without a partner are text.
[[nodiscard]] std::vector<MarkdownInline> parse_inline(std::string_view text);

/// A line without marks; code keeps its backticks, a link becomes `text (target)`.
[[nodiscard]] std::string plain_inline(std::string_view text);

/// The paragraphs under a heading of that name as one plain line; empty where there is none.
[[nodiscard]] std::string markdown_section(std::string_view text, std::string_view heading);

/// The document without what follows the language of a code block: flags of the test that runs it.
[[nodiscard]] std::string without_test_flags(std::string_view text);

/// The document for a terminal: wrapped, indented, safe to print.
[[nodiscard]] std::string markdown_for_terminal(std::string_view text,
                                                const Presentation& presentation);

/// The document as HTML elements, everything escaped; `##` becomes `<h3>`.
[[nodiscard]] std::string markdown_to_html(std::string_view text);

}  // namespace gpulint
