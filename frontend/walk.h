#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// The paths that a repository tracks, from its index (gitformat-index(5), versions 2 to 4, either
/// hash). gpulint reads the index itself and starts no program.
class GitIndex {
 public:
  /// The paths in the bytes of an index; empty if they are not a valid index.
  [[nodiscard]] static GitIndex parse(std::string_view bytes);

  /// Reads `index` in a `.git` folder, and the shared index if it is split. Empty if the index
  /// cannot be read or is larger than 256 MiB.
  [[nodiscard]] static GitIndex read(const std::filesystem::path& git_folder);

  /// Paths are relative to the repository, without a trailing slash.
  [[nodiscard]] bool tracks(std::string_view path) const;
  [[nodiscard]] bool tracks_below(std::string_view folder) const;

  [[nodiscard]] const std::vector<std::string>& paths() const { return paths_; }

 private:
  void add(GitIndex other);

  std::vector<std::string> paths_;    // in byte order
  std::vector<std::string> folders_;  // of a sparse index: all that lies below is tracked
  std::string shared_;                // the hash that names the shared index; empty: none
};

}  // namespace gpulint
