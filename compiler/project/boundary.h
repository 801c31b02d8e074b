#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "compiler/base/result.h"
#include "compiler/project/file_system.h"

namespace gpulint {

/// The absolute path behind all links of a path, including dangling links.
[[nodiscard]] std::filesystem::path resolve_links(const FileSystem& files,
                                                  const std::filesystem::path& path);

/// The top of the git work tree around an absolute folder; nullopt outside of all work trees.
[[nodiscard]] std::optional<std::filesystem::path> work_tree_above(
    const FileSystem& files, const std::filesystem::path& folder);

/// The folder that links in `folder` must not leave: its git work tree, or else the folder itself.
/// The result has no links.
[[nodiscard]] std::filesystem::path boundary_of(const FileSystem& files,
                                                const std::filesystem::path& folder);

/// The folder that files named in `folder` must not leave: the git work tree around that folder,
/// or else the boundary of the current folder. The result has no links.
[[nodiscard]] std::filesystem::path repository_around(const FileSystem& files,
                                                      const std::filesystem::path& folder);

/// Whether a path leaves the boundary after all its links are followed, including dangling links.
[[nodiscard]] bool leaves(const FileSystem& files, const std::filesystem::path& path,
                          const std::filesystem::path& boundary);

/// An Error if a link on the way to `path` leads out of the repository that the link is in. Outside
/// of all repositories, links in `config_folder` must not leave that folder; other links are the
/// user's own.
[[nodiscard]] std::optional<Error> refuse_leaving(const FileSystem& files, const std::string& path,
                                                  const std::string& config_folder);

}  // namespace gpulint
