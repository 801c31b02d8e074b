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

/// Bytes as they are used in memory.
struct DecodedBytes {
  DecodedBytes() = default;
  /// Implicit: bytes convert to it.
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

/// The bytes of a regular file, decoded; `-` is standard input. An Error for what cannot be read:
/// missing files, folders, devices, pipes that somebody has to open first, more than
/// limits::file_bytes. A file that shrinks while it is read gives what was there.
[[nodiscard]] Result<DecodedBytes> read_file(const std::string& path);

/// Files of a folder.
struct FoundFiles {
  std::vector<std::string> paths;  ///< In byte order.
  std::vector<Error> errors;       ///< Folders that could not be read; the others were.
};

/// Whether to leave out a file, or a folder with all that it holds.
using IsExcluded = std::function<bool(std::string_view path)>;

/// Whether a file is looked into by its name, given without folder: `.yaml`, `.yml`, `.json`, `.py`
/// behind something, and `Kustomization`.
[[nodiscard]] bool has_read_name(std::string_view name);

/// The files below `folder` with a name that is read, without those that git would ignore, Python
/// that was installed (`site-packages`, `node_modules`) and `.git`. Symbolic links to files count,
/// those to folders are not entered; pipes, devices and dangling links are passed over. Paths begin
/// with `folder` unless it is `.`.
[[nodiscard]] FoundFiles find_files(const std::string& folder, const IsExcluded& is_excluded);

}  // namespace gpulint
