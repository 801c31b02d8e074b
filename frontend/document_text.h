#pragma once

#include <cstdint>

namespace gpulint {

/// The text of one document of a YAML stream: byte offsets into the stream.
struct DocumentText {
  std::uint32_t index = 0;    ///< Position among the stream's documents, from 0.
  std::uint32_t begin = 0;    ///< Includes directives and comments above the `---`.
  std::uint32_t content = 0;  ///< After the `---`; equals `begin` if there is none.
  std::uint32_t end = 0;      ///< Before the next `---` or `...`.
  bool has_marker = false;    ///< Begins with `---`: even without content it is a document.
  /// Begins after a `...` that ends no document: the first token of the stream.
  bool is_stray_end = false;
  /// One of several JSON objects in a row from the start of the stream. Kubernetes' parser reads
  /// each of them and nothing else between or after them.
  bool is_in_json_stream = false;
  /// Begins with a `---` after such objects.
  bool follows_json_stream = false;
  /// Begins on the line of the `...` that ended another document, with more than a comment.
  bool is_on_end_line = false;
};

}  // namespace gpulint
