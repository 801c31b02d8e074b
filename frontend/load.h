#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/result.h"
#include "frontend/encoding.h"

namespace gpulint {

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
