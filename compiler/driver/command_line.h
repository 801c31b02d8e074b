#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// An option or positional argument as completions and refusals show it.
struct OptionDescription {
  std::string flag;                  ///< `--format`; empty for a positional argument.
  std::string short_flag;            ///< `-q`; empty where there is none.
  std::string value;                 ///< What the value is called, e.g. `FILE`; empty for a switch.
  std::vector<std::string> choices;  ///< All values there are; empty where they are open.
  std::string help;
};

/// A command, with the commands above it: `check`, `debug json`. The first is gpulint itself,
/// unnamed.
struct CommandDescription {
  std::string name;
  std::string help;
  std::vector<OptionDescription> options;
  OptionDescription argument;  ///< `value` is empty where the command takes none.
};

/// The whole command line, made from what parses it: gpulint itself, then commands in the order of
/// help, each before its own commands (`debug`, then `debug json`).
[[nodiscard]] std::vector<CommandDescription> describe_command_line();

/// What people typed to get here, for help: `kubectl gpulint` where the program's file is called
/// `kubectl-gpulint` (kubectl 1.37, plugins), `helm gpulint` where Helm runs its plugin, else
/// `gpulint`.
[[nodiscard]] std::string name_as_typed(std::string_view program);

/// Words that the program's file name stands for, before those that follow it: `filter` for
/// `gpulint-krm`, since a KRM function may be a path alone; what offers completions for
/// `kubectl_complete-gpulint`.
[[nodiscard]] std::vector<std::string> words_of_name(std::string_view program);

/// Why words of a command line mean nothing, with what was probably meant: an unknown command or
/// flag. `program`: as name_as_typed() has it. `command`: the last that was understood, as
/// CommandDescription names it. Nothing where the words are no more than too many.
[[nodiscard]] std::optional<std::string> explain_words(
    const std::string& program, const std::vector<CommandDescription>& commands,
    const std::string& command, const std::vector<std::string>& words);

/// Why the words behind `gpulint help` name no command; nothing where they do.
[[nodiscard]] std::optional<std::string> refuse_command(
    const std::string& program, const std::vector<CommandDescription>& commands,
    const std::vector<std::string>& words);

/// A word that a shell offers.
struct Offer {
  std::string word;
  std::string description;  ///< May be empty.
};

/// The command that shells, kubectl and Helm ask for completions: `__complete WORD…`, the last word
/// being the one that is typed. No help names it.
inline constexpr std::string_view completion_command = "__complete";

/// What may stand for the last of the words, a line each with its description behind a tab, and a
/// last line, as cobra 1.10 writes them: `:4` where files are no answer, else `:0`.
[[nodiscard]] std::string complete_words(const std::vector<CommandDescription>& commands,
                                         const std::vector<Offer>& rules,
                                         std::vector<std::string> words);

}  // namespace gpulint
