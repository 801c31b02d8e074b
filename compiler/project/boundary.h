#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "compiler/base/result.h"
#include "compiler/project/file_system.h"

namespace gpulint {

/// Where a path leads once all links are followed, dangling ones, too: absolute.
[[nodiscard]] std::filesystem::path resolve_links(const FileSystem& files,
                                                  const std::filesystem::path& path);

/// The top of the git work tree that holds an absolute folder; nothing outside of every one.
[[nodiscard]] std::optional<std::filesystem::path> work_tree_above(
    const FileSystem& files, const std::filesystem::path& folder);

/// Where what lies in `folder` may lead: its git work tree, or the folder itself outside of every
/// one. Without links.
[[nodiscard]] std::filesystem::path boundary_of(const FileSystem& files,
                                                const std::filesystem::path& folder);

/// Whether a path ends beyond the boundary, once its links are followed (dangling ones, too).
[[nodiscard]] bool leaves(const FileSystem& files, const std::filesystem::path& path,
                          const std::filesystem::path& boundary);

/// Why a repository's links keep a run from writing to `path`: one of them leads out of the
/// repository in which it lies (outside of every one: of `config_folder`, if it lies there). Links
/// that belong to no repository are the user's own.
[[nodiscard]] std::optional<Error> refuse_leaving(const FileSystem& files, const std::string& path,
                                                  const std::string& config_folder);

}  // namespace gpulint
