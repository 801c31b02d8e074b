#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/document.h"

namespace gpulint {

/// A problem in a quoted scalar: bytes [begin, end) of its text.
struct QuotedProblem {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  const char* message = "";
  bool is_dialect = false;  ///< YAML 1.2 allows it.
};

/// A quoted scalar at the start of a text.
struct QuotedScalar {
  std::uint32_t size = 0;    ///< Bytes with both quotes; the whole text if the closing quote is
                             ///< missing.
  bool is_verbatim = false;  ///< The value equals the text between the quotes; `value` is empty.
  /// Contains a line break that only YAML 1.1 knows: NEL, LS or PS.
  bool has_other_breaks = false;
  std::string value;
  std::optional<QuotedProblem> problem;  ///< The first one.
};

/// Reads a single- or double-quoted scalar as YAML 1.1 does: escapes, folded line breaks. If
/// `origin` is not null, it receives the bytes of `text` that each byte of the value comes from.
[[nodiscard]] QuotedScalar read_quoted(std::string_view text,
                                       std::vector<TextOrigin::Piece>* origin = nullptr);

}  // namespace gpulint
