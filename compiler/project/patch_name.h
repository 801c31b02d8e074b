#pragma once

#include <string>

namespace gpulint {

/// The path of a file in a patch, without `a/`. In a git work tree it starts at the top, as in `git
/// diff`, for `git apply`. Outside of all work trees the path is unchanged, but a path that leads
/// out of the current folder becomes absolute, for `patch -p1 -d /`.
[[nodiscard]] std::string name_in_patch(const std::string& path);

}  // namespace gpulint
