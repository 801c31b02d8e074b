#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/base/source_file.h"

namespace gpulint {

/// Bytes as they are used in memory.
struct DecodedBytes {
  DecodedBytes() = default;
  /// Made of a text, so that one stands for the other.
  DecodedBytes(std::string bytes, SourceFile::Encoding from = SourceFile::Encoding::utf8)  // NOLINT
      : text(std::move(bytes)), encoding(from) {}

  std::string text;
  SourceFile::Encoding encoding = SourceFile::Encoding::utf8;
  std::string original;  ///< The bytes as they were read, where they were transcoded.
};

/// UTF-16 that begins with a byte order mark becomes UTF-8 (a lone surrogate U+FFFD), carriage
/// returns without line feed become line feeds; all other bytes stay as they are.
[[nodiscard]] DecodedBytes decode_bytes(std::string bytes);

/// The first place in a text that no YAML reader accepts.
struct UnreadableCharacter {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string message;
};

/// Invalid UTF-8 and the characters that YAML 1.1 forbids (control characters).
[[nodiscard]] std::optional<UnreadableCharacter> find_unreadable(std::string_view text);

/// Length in bytes of the UTF-8 sequence at the start of `text`; 0 where it is invalid.
[[nodiscard]] std::uint32_t utf8_length(std::string_view text);

}  // namespace gpulint
