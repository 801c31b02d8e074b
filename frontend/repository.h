#pragma once

#include <filesystem>
#include <functional>
#include <optional>

namespace gpulint {

using Exists = std::function<bool(const std::filesystem::path&)>;

/// The root of the git work tree around an absolute folder; nullopt outside of repositories.
[[nodiscard]] std::optional<std::filesystem::path> repository_above(
    const std::filesystem::path& folder, const Exists& exists);

/// The same, on disk.
[[nodiscard]] std::optional<std::filesystem::path> repository_above(
    const std::filesystem::path& folder);

/// The folder where git stores a work tree's data: `.git`, or the target if that is a file
/// (submodules, linked work trees).
[[nodiscard]] std::filesystem::path git_folder_of(const std::filesystem::path& work_tree);

/// The folder that linked work trees share, for instance for `info/exclude`.
[[nodiscard]] std::filesystem::path common_folder_of(const std::filesystem::path& git_folder);

}  // namespace gpulint
