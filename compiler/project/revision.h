#pragma once

#include <filesystem>
#include <string>

namespace gpulint {

/// The commit that is checked out in a work tree, as git's own files have it (gitrepository-layout,
/// git 2.47): no git is run for it. Empty where there is none yet, or the files say nothing.
[[nodiscard]] std::string revision_of(const std::filesystem::path& work_tree);

}  // namespace gpulint
