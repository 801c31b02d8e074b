#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/base/result.h"
#include "compiler/base/source_file.h"

namespace gpulint {

/// Bytes as they are in memory.
struct DecodedBytes {
  DecodedBytes() = default;
  /// Implicit: bytes convert to it.
  DecodedBytes(std::string bytes, SourceFile::Encoding from = SourceFile::Encoding::utf8)  // NOLINT
      : text(std::move(bytes)), encoding(from) {}

  std::string text;
  SourceFile::Encoding encoding = SourceFile::Encoding::utf8;
  std::string original;  ///< The original bytes, if they were transcoded.
};

/// Converts UTF-16 with a byte order mark to UTF-8 (a lone surrogate becomes U+FFFD), and carriage
/// returns without line feed to line feeds; keeps all other bytes.
[[nodiscard]] DecodedBytes decode_bytes(std::string bytes);

/// The first place in a text that no YAML parser accepts.
struct UnreadableCharacter {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string message;
};

/// Invalid UTF-8 and the characters that YAML 1.1 forbids (control characters).
[[nodiscard]] std::optional<UnreadableCharacter> find_unreadable(std::string_view text);

/// Length in bytes of the UTF-8 sequence at the start of `text`; 0 if it is invalid.
[[nodiscard]] std::uint32_t utf8_length(std::string_view text);

/// The bytes of a regular file, decoded; `-` is standard input. An Error for missing files,
/// folders, devices, named pipes, and files larger than limits::file_bytes. If a file shrinks
/// during reading, the result is what was read.
[[nodiscard]] Result<DecodedBytes> read_file(const std::string& path);

/// Files of a folder.
struct FoundFiles {
  std::vector<std::string> paths;  ///< In byte order.
  std::vector<Error> errors;       ///< Folders that could not be read; all others were.
};

/// Whether to leave out a file, or a folder with everything below it.
using IsExcluded = std::function<bool(std::string_view path)>;

/// Whether files with this name (without folder) are read: names that end in `.yaml`, `.yml`,
/// `.json` or `.py`, and `Kustomization`.
[[nodiscard]] bool has_read_name(std::string_view name);

/// The files below `folder` whose names are read, without files that git ignores, installed Python
/// (`site-packages`, `node_modules`) and `.git`. Follows symbolic links to files, not to folders;
/// skips pipes, devices and dangling links. Paths begin with `folder` unless it is `.`.
[[nodiscard]] FoundFiles find_files(const std::string& folder, const IsExcluded& is_excluded);

}  // namespace gpulint
