#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace gpulint {

/// The text of one document of a YAML stream: byte offsets into the stream.
struct DocumentText {
  std::uint32_t index = 0;    ///< Position among the stream's documents, from 0.
  std::uint32_t begin = 0;    ///< Directives and comments above the `---` included.
  std::uint32_t content = 0;  ///< Behind the `---`; equals `begin` where there is none.
  std::uint32_t end = 0;      ///< Before the next `---` or `...`.
  bool has_marker = false;    ///< Begins with `---`: even an empty one is a document.
  /// Begins behind a `...` that ends nothing: the first thing in the stream.
  bool is_stray_end = false;
  /// One of several JSON objects that follow one another from the start of the stream on:
  /// Kubernetes' reader takes each, and nothing else among or behind them.
  bool is_in_json_stream = false;
  /// Begins with a `---` behind such objects.
  bool follows_json_stream = false;
  /// Begins on the line of the `...` that ended another, with more than a comment.
  bool is_on_end_line = false;
};

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Where a document's first line begins, behind that of its `---`: Kubernetes' reader drops a byte
/// order mark there.
[[nodiscard]] std::uint32_t first_line(std::string_view text, const DocumentText& document);

/// Splits a stream at `---` and `...` in column 0 without reading what is between them: markers end
/// a document whatever it holds, block scalars and quotes included. Text of comments and blank
/// lines alone joins the document after it; at the end of the stream it is a document of its own
/// (without content, for its comments' sake) unless it is blank. A stream that begins with a JSON
/// object is split behind each that another one follows.
[[nodiscard]] std::vector<DocumentText> split_stream(std::string_view text);

}  // namespace gpulint
