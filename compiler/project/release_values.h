#pragma once

#include <compare>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "compiler/base/source_file.h"

namespace gpulint {

/// A source of values that a release names: a file, or a ConfigMap or Secret.
struct ReleaseSource {
  std::string path;        ///< Of a file, from the current folder.
  bool from_root = false;  ///< `path` starts at the root of some repository: only its end is known.
  std::string kind;        ///< Of an object.
  std::string name;
  std::string name_space;  ///< Empty: not set.

  auto operator<=>(const ReleaseSource&) const = default;
};

struct ReleaseReader {
  /// The sources of values of all releases in a file.
  std::function<std::vector<ReleaseSource>(FileId)> sources;
  /// Whether a file contains the object that a release names.
  std::function<bool(FileId, const ReleaseSource&)> holds;
};

/// For each of `files`, those of `others` that match the sources of its releases. If a source
/// matches several files, the one in the folder of the release counts, or none. `jobs`: threads.
[[nodiscard]] std::vector<std::vector<FileId>> find_release_values(std::span<const FileId> files,
                                                                   std::span<const FileId> others,
                                                                   const SourceSet& sources,
                                                                   unsigned jobs,
                                                                   const ReleaseReader& read);

}  // namespace gpulint
