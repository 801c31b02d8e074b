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

/// Whether a text may declare nodes or node pools: it has a word of every such kind.
[[nodiscard]] bool may_declare_nodes(std::string_view text);

/// The git work tree around the folders that a run names (docs/explanation/scopes.md).
class Surroundings {
 public:
  /// Nothing where the request names no folder or turns joins off, or where the folders are not all
  /// in one work tree. `files` must outlive it. `config_folder` is that of gpulint.yaml, empty
  /// without one: a project with a configuration ends there.
  [[nodiscard]] static std::optional<Surroundings> find(const FileSystem& files,
                                                        const Request& request,
                                                        const std::string& config_folder);

  /// Files outside the named folders that may declare nodes or shared objects for them: in each
  /// folder around a named one and in its folders with names such as `nodes` or `quotas`. Sorted,
  /// written as inputs are.
  [[nodiscard]] std::vector<std::string> files_around(const IsExcluded& is_excluded) const;

  /// Every other file of the work tree but Python; listed once.
  [[nodiscard]] const std::vector<std::string>& files_elsewhere(
      const IsExcluded& is_excluded) const;

  /// Whether a named folder, or one around it, has a kustomization.
  [[nodiscard]] bool is_below_kustomization() const;

  /// Files anywhere in the work tree whose names suggest nodes: what others declare decides whether
  /// the tree is a collection of clusters (joins.h).
  [[nodiscard]] std::vector<std::string> possible_nodes(const IsExcluded& is_excluded) const;

  /// The files that the nodes of this one may serve; none where these are around a named folder.
  /// `place` is a path from the top of the work tree.
  [[nodiscard]] std::vector<std::string> files_served_by(const std::string& place,
                                                         const IsExcluded& is_excluded) const;

  /// Files anywhere in the work tree whose paths suggest Flyte values, for Python with tasks.
  [[nodiscard]] std::vector<std::string> possible_flyte_values(const IsExcluded& is_excluded) const;

  /// The path of an input from the top of the work tree. Empty: it is outside.
  [[nodiscard]] std::string place_of(const std::string& path) const;

  /// Whether a path, with all links followed, is in the work tree.
  [[nodiscard]] bool holds(const std::string& path) const;

 private:
  using Path = std::filesystem::path;
  /// Whether to pass over what has this path from the top of the work tree.
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
  std::string top_;                 ///< Up to where files are looked for, from the root.
  std::vector<std::string> named_;  ///< The folders, from the root; empty: the root itself.
  /// Each named folder as it is written, and where its links lead. Absolute.
  std::vector<std::pair<Path, Path>> links_;
  mutable std::optional<std::vector<std::string>> elsewhere_;
  bool shows_absolute_ = false;  ///< As the first named folder is written.
};

}  // namespace gpulint
