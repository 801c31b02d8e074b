#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// What people typed to get here, for help: `kubectl gpulint` where the program's file is called
/// `kubectl-gpulint` (kubectl 1.37, plugins), `helm gpulint` where Helm runs its plugin, else
/// `gpulint`.
[[nodiscard]] std::string name_as_typed(std::string_view program);

/// Words that the program's file name stands for, before those that follow it: `filter` for
/// `gpulint-krm`, since a KRM function may be a path alone; what offers completions for
/// `kubectl_complete-gpulint`.
[[nodiscard]] std::vector<std::string> words_of_name(std::string_view program);

}  // namespace gpulint
