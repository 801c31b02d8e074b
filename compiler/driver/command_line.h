#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// An option or positional argument, for completions and error messages.
struct OptionDescription {
  std::string flag;                  ///< `--format`; empty for a positional argument.
  std::string short_flag;            ///< `-q`; empty if there is none.
  std::string value;                 ///< Name of the value, e.g. `FILE`; empty for a switch.
  std::vector<std::string> choices;  ///< All possible values; empty if they are not a fixed list.
  std::string help;
};

/// A command with its full name: `check`, `debug json`. The first is gpulint itself, without a
/// name.
struct CommandDescription {
  std::string name;
  std::string help;
  std::vector<OptionDescription> options;
  OptionDescription argument;  ///< `value` is empty if the command has none.
};

/// The whole command line, derived from its parser: gpulint itself, then the commands in the order
/// of `--help`, each before its own commands (`debug`, then `debug json`).
[[nodiscard]] std::vector<CommandDescription> describe_command_line();

/// How the user called the program, for help texts: `kubectl gpulint` if its file is named
/// `kubectl-gpulint` (kubectl 1.37, plugins), `helm gpulint` if Helm runs it as a plugin, else
/// `gpulint`.
[[nodiscard]] std::string name_as_typed(std::string_view program);

/// Words that the program's file name implies, placed before the words of the command line:
/// `filter` for `gpulint-krm`, since a KRM function may be a path alone; the completion command for
/// `kubectl_complete-gpulint`.
[[nodiscard]] std::vector<std::string> words_of_name(std::string_view program);

/// Why the command line was not understood, with the probable meaning: an unknown command or flag.
/// `program`: from name_as_typed(). `command`: the last command that was understood, as
/// CommandDescription names it. nullopt if there are only too many words.
[[nodiscard]] std::optional<std::string> explain_words(
    const std::string& program, const std::vector<CommandDescription>& commands,
    const std::string& command, const std::vector<std::string>& words);

/// Why the words after `gpulint help` name no command; nullopt if they name one.
[[nodiscard]] std::optional<std::string> refuse_command(
    const std::string& program, const std::vector<CommandDescription>& commands,
    const std::vector<std::string>& words);

/// A word that a shell offers.
struct Offer {
  std::string word;
  std::string description;  ///< May be empty.
};

/// The command that shells, kubectl and Helm call for completions: `__complete WORD…`. The last
/// word is the one being typed. Help does not list it.
inline constexpr std::string_view completion_command = "__complete";

/// Candidates for the last word, one line each with the description after a tab. The last line is
/// as cobra 1.10 writes it: `:4` if files are not an answer, else `:0`.
[[nodiscard]] std::string complete_words(const std::vector<CommandDescription>& commands,
                                         const std::vector<Offer>& rules,
                                         std::vector<std::string> words);

}  // namespace gpulint
