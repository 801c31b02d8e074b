#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// An option or positional argument as help, completions and the manual show it.
struct OptionDescription {
  std::string flag;                  ///< `--format`; empty for a positional argument.
  std::string short_flag;            ///< `-q`; empty where there is none.
  std::string value;                 ///< What the value is called, e.g. `FILE`; empty for a switch.
  std::vector<std::string> choices;  ///< All values there are; empty where they are open.
  std::string help;
  bool is_repeatable = false;
};

/// A command, with the commands above it: `check`, `debug json`. The first is gpulint itself,
/// unnamed.
struct CommandDescription {
  std::string name;
  std::string help;
  std::vector<OptionDescription> options;
  OptionDescription argument;  ///< `value` is empty where the command takes none.
};

/// Words that a completion script offers besides the command line's own.
struct CompletionWords {
  std::vector<std::string> rules;       ///< Ids.
  std::vector<std::string> summaries;   ///< Of the rules, in their order.
  std::vector<std::string> categories;  ///< Usable where ids are.
};

[[nodiscard]] std::string bash_completions(const std::vector<CommandDescription>& commands,
                                           const CompletionWords& words);
[[nodiscard]] std::string zsh_completions(const std::vector<CommandDescription>& commands,
                                          const CompletionWords& words);
[[nodiscard]] std::string fish_completions(const std::vector<CommandDescription>& commands,
                                           const CompletionWords& words);

}  // namespace gpulint
