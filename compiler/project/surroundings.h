#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/project/file_system.h"
#include "compiler/project/request.h"

namespace gpulint {

/// Whether a text may declare nodes or node pools, by a search for words of all such kinds.
[[nodiscard]] bool may_declare_nodes(std::string_view text);

/// The git work tree around the folders that a run names (docs/explanation/scopes.md).
class Surroundings {
 public:
  /// Nullopt if the request names no folder or turns joins off, or if the folders are not in one
  /// work tree. `files` must outlive it. `config_folder` is the folder of gpulint.yaml, or empty:
  /// files above that folder do not belong to the project.
  [[nodiscard]] static std::optional<Surroundings> find(const FileSystem& files,
                                                        const Request& request,
                                                        const std::string& config_folder);

  /// Files outside the named folders that may declare nodes or shared objects for them: in each
  /// folder around a named folder, and in its folders with names such as `nodes` or `quotas`.
  /// Sorted; the paths start like those of the inputs.
  [[nodiscard]] std::vector<std::string> files_around(const IsExcluded& is_excluded) const;

  /// All other files of the work tree except Python. The result is cached.
  [[nodiscard]] const std::vector<std::string>& files_elsewhere(
      const IsExcluded& is_excluded) const;

  /// Whether a named folder or a folder around it has a kustomization.
  [[nodiscard]] bool is_below_kustomization() const;

  /// Files anywhere in the work tree whose names suggest nodes. They show whether the tree is a
  /// collection of clusters (joins.h).
  [[nodiscard]] std::vector<std::string> possible_nodes(const IsExcluded& is_excluded) const;

  /// The files that the nodes of a file may serve; none if it is in a folder around a named folder.
  /// `place` is its path from the top of the work tree.
  [[nodiscard]] std::vector<std::string> files_served_by(const std::string& place,
                                                         const IsExcluded& is_excluded) const;

  /// Files anywhere in the work tree whose paths suggest Flyte values, for Python with tasks.
  [[nodiscard]] std::vector<std::string> possible_flyte_values(const IsExcluded& is_excluded) const;

  /// The path of an input from the top of the work tree; empty if it is outside.
  [[nodiscard]] std::string place_of(const std::string& path) const;

  /// Whether a path, with all links followed, is in the work tree.
  [[nodiscard]] bool holds(const std::string& path) const;

 private:
  using Path = std::filesystem::path;
  /// Whether to skip the file or folder with this path from the top of the work tree.
  using IsPassedOver = std::function<bool(std::string_view place)>;

  Surroundings(const FileSystem& files, Path root);

  [[nodiscard]] std::string shown(const std::string& place) const;
  [[nodiscard]] bool is_inside_named(std::string_view place) const;
  [[nodiscard]] std::vector<std::string> find_below(const std::string& folder,
                                                    const IsExcluded& is_excluded,
                                                    const IsPassedOver& is_passed_over) const;

  const FileSystem& files_;
  Path current_;
  Path root_;                       ///< Absolute, without links.
  std::string top_;                 ///< The topmost folder to search, from the root.
  std::vector<std::string> named_;  ///< The folders, from the root; empty: the root itself.
  /// Each named folder as written, and the folder behind its links. Absolute.
  std::vector<std::pair<Path, Path>> links_;
  mutable std::optional<std::vector<std::string>> elsewhere_;
  bool shows_absolute_ = false;  ///< Paths are absolute, like the first named folder.
};

}  // namespace gpulint
