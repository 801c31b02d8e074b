#pragma once

#include <filesystem>
#include <functional>
#include <optional>

namespace gpulint {

using Exists = std::function<bool(const std::filesystem::path&)>;

/// The top of the git work tree that holds an absolute folder; nothing outside of every repository.
[[nodiscard]] std::optional<std::filesystem::path> repository_above(
    const std::filesystem::path& folder, const Exists& exists);

/// The same by what is on the disk.
[[nodiscard]] std::optional<std::filesystem::path> repository_above(
    const std::filesystem::path& folder);

/// Where git keeps what belongs to a work tree: `.git`, or where a file of this name points
/// (submodules, linked work trees).
[[nodiscard]] std::filesystem::path git_folder_of(const std::filesystem::path& work_tree);

/// Where linked work trees keep what they share, `info/exclude` among it.
[[nodiscard]] std::filesystem::path common_folder_of(const std::filesystem::path& git_folder);

}  // namespace gpulint
