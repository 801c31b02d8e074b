#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace gpulint {

/// What a task may ask for beside extended resources, in Flyte's words.
inline constexpr std::array<std::string_view, 4> task_amounts = {"gpu", "cpu", "memory",
                                                                 "ephemeral-storage"};

/// Whether a task can ask for the resource: one of these, or a name with a slash.
[[nodiscard]] inline bool is_task_amount(std::string_view name) {
  return name.find('/') != std::string_view::npos ||
         std::ranges::find(task_amounts, name) != task_amounts.end();
}

}  // namespace gpulint
