#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/base/result.h"

namespace gpulint {

/// Replaces the content of an existing regular file so that everybody sees the old bytes or the new
/// ones, and nothing between, whenever the machine stops: a temporary file beside it, fsync,
/// rename. Mode, owner and extended attributes stay; a symbolic link stays one, its target is
/// replaced; a hard link is parted from its siblings. A file whose content is no longer `expected`
/// (somebody else wrote it meanwhile) is left alone: seen for sure where the file system exchanges
/// two files at once, but for the moment between a last look and the rename elsewhere, and but for
/// who keeps the old file open and writes to it later. Returns why nothing was written, or nothing
/// on success.
[[nodiscard]] std::optional<Error> replace_file(const std::string& path, std::string_view expected,
                                                std::string_view text);

/// Writes an output file in the same way, making it where it does not exist. Pipes, terminals and
/// devices are written to directly.
[[nodiscard]] std::optional<Error> write_file(const std::string& path, std::string_view text);

}  // namespace gpulint
