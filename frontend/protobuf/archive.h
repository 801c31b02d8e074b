#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/result.h"

namespace gpulint {

/// Whether the bytes are compressed with gzip (RFC 1952).
[[nodiscard]] bool is_gzip(std::string_view bytes);
/// The uncompressed bytes of all gzip members. An Error for damaged data, and for more than
/// limits::unpacked_bytes. Ignores bytes after the last member, as gzip does.
[[nodiscard]] Result<std::string> gunzip(std::string_view bytes);

/// A regular file in an archive. Both point into the archive's bytes; long names own their text.
struct ArchivedFile {
  std::string name;
  std::string_view bytes;
};

/// Whether the bytes are a tar archive (POSIX.1-2001 ustar and pax, or GNU's).
[[nodiscard]] bool is_tar(std::string_view bytes);
/// The regular files of an archive, in order. An Error for damaged data, and for more than
/// limits::archived_files. Nothing is written to disk, so any name is allowed.
[[nodiscard]] Result<std::vector<ArchivedFile>> read_tar(std::string_view bytes);

}  // namespace gpulint
