#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpulint {

/// The lines of a block scalar as Go's yaml.v2 takes them (scannerc.go, block scalars), where the
/// YAML parser takes them otherwise.
struct BlockLines {
  std::uint32_t content = 0;   ///< Where the line below the header begins.
  std::uint32_t end = 0;       ///< Behind the last line that holds more than its indentation.
  std::size_t breaks = 0;      ///< Line breaks from there on, those of blank lines included.
  bool keeps_breaks = false;   ///< The header has a `+`: all of them are in the value.
  bool strips_breaks = false;  ///< It has a `-`: none of them is.
  /// The text ends in the indentation of a line of which there is no more.
  bool ends_in_indentation = false;
  /// A tab where the indentation is still sought or not yet reached: the document is refused.
  std::optional<std::uint32_t> tab;
  std::size_t indentation = 0;  ///< What the header's digit says; 0: the first lines tell.
  std::size_t least = 1;        ///< The least that they can tell.
};

/// Reads the block scalar whose `|` or `>` stands at `header`; `parent` is the column of the block
/// collection that it is in, none at the root.
[[nodiscard]] BlockLines read_block_lines(std::string_view text, std::uint32_t header,
                                          std::optional<std::uint32_t> parent);

/// The value of such a scalar, `folded` or literal, where NEL, LS and PS end lines as they do in
/// YAML 1.1. None where what stands behind one of them ends the scalar: it is indented too little.
[[nodiscard]] std::optional<std::string> read_old_block_value(std::string_view text,
                                                              const BlockLines& lines, bool folded);

}  // namespace gpulint
