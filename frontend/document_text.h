#pragma once

#include <cstdint>

namespace gpulint {

/// The text of one document of a YAML stream: byte offsets into the stream.
struct DocumentText {
  std::uint32_t index = 0;    ///< Position among the stream's documents, from 0.
  std::uint32_t begin = 0;    ///< Directives and comments above the `---` included.
  std::uint32_t content = 0;  ///< Behind the `---`; equals `begin` where there is none.
  std::uint32_t end = 0;      ///< Before the next `---` or `...`.
  bool has_marker = false;    ///< Begins with `---`, so that even nothing is a document.
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

}  // namespace gpulint
