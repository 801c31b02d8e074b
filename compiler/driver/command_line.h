#pragma once

#include <string>
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

/// The whole command line, made from what parses it, so that nothing drawn from it goes stale.
[[nodiscard]] std::vector<CommandDescription> describe_command_line();

}  // namespace gpulint
