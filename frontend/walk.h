#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// The paths that a repository tracks, as its index lists them (gitformat-index(5), versions 2 to
/// 4, either hash). gpulint reads it itself: a folder walk starts no program.
class GitIndex {
 public:
  /// What the bytes of an index list; nothing if they are not an index, or a broken one.
  [[nodiscard]] static GitIndex parse(std::string_view bytes);

  /// Reads `index` in a `.git` folder, and the shared index where it is split. What cannot be read,
  /// or is larger than 256 MiB, lists nothing.
  [[nodiscard]] static GitIndex read(const std::filesystem::path& git_folder);

  /// Both are relative to the repository, without a slash at their end.
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
