#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/base/result.h"

namespace gpulint {

/// Replaces the content of an existing regular file atomically, with a temporary file next to it,
/// fsync and rename: even after a crash the file has either the old or the new bytes. Mode, owner
/// and extended attributes are preserved. A symbolic link stays a link and its target is replaced;
/// a hard link is separated from the others. A file whose content is not `expected` is not written,
/// because another program changed it. This check is reliable if the file system can exchange two
/// files; otherwise a change between the check and the rename is lost. Later changes by a program
/// that keeps the old file open are always lost. Returns the reason if nothing was written, or
/// nullopt.
[[nodiscard]] std::optional<Error> replace_file(const std::string& path, std::string_view expected,
                                                std::string_view text);

/// Writes an output file in the same way, or creates it. Pipes, terminals and devices are written
/// directly. Returns the reason if it was not written, or nullopt.
[[nodiscard]] std::optional<Error> write_file(const std::string& path, std::string_view text);

}  // namespace gpulint
