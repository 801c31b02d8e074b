#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/driver/command_line.h"

namespace gpulint {

/// Words that a completion script offers besides the command line's own.
struct CompletionWords {
  std::vector<std::string> rules;       ///< Ids.
  std::vector<std::string> categories;  ///< Usable where ids are.
};

[[nodiscard]] std::string bash_completions(const std::vector<CommandDescription>& commands,
                                           const CompletionWords& words);
[[nodiscard]] std::string zsh_completions(const std::vector<CommandDescription>& commands,
                                          const CompletionWords& words);
[[nodiscard]] std::string fish_completions(const std::vector<CommandDescription>& commands,
                                           const CompletionWords& words);

}  // namespace gpulint
