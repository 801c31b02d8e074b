#pragma once

#include <string>

namespace gpulint {

/// A path as patches name it, without `a/`: from the top of the git work tree that holds the file,
/// as `git diff` does and `git apply` wants it. Outside of every work tree as it is named; a path
/// that leads out of the current folder is absolute, which `patch -p1 -d /` applies.
[[nodiscard]] std::string name_in_patch(const std::string& path);

}  // namespace gpulint
