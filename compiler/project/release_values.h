#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "compiler/base/source_file.h"

namespace gpulint {

/// What a release takes values from, as it is named: a file, or a ConfigMap or Secret.
struct ReleaseSource {
  std::string path;        ///< Of a file, from the folder in which gpulint was called.
  bool from_root = false;  ///< `path` is from the root of some repository: only its end is known.
  std::string kind;        ///< Of an object.
  std::string name;
  std::string name_space;  ///< Empty: not said.
};

struct ReleaseReader {
  /// Those of all releases of a file.
  std::function<std::vector<ReleaseSource>(FileId)> sources;
  /// Whether a file holds such an object.
  std::function<bool(FileId, const ReleaseSource&)> holds;
};

/// For each of `files` those of `others` that its releases take values from: what a name fits. Of
/// several that it fits one in the release's own folder is meant, and otherwise none. `jobs`:
/// threads.
[[nodiscard]] std::vector<std::vector<FileId>> find_release_values(std::span<const FileId> files,
                                                                   std::span<const FileId> others,
                                                                   const SourceSet& sources,
                                                                   unsigned jobs,
                                                                   const ReleaseReader& read);

}  // namespace gpulint
