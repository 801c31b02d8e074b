#include "backends/completions.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace gpulint {
namespace {

/// What may follow an option, told by the name of its value.
enum class Follows : std::uint8_t { choices, rules, files, anything };

[[nodiscard]] Follows what_follows(const OptionDescription& option) {
  if (!option.choices.empty()) return Follows::choices;
  if (option.value == "LIST" || option.value.starts_with("ID")) return Follows::rules;
  if (option.value == "FILE" || option.value.starts_with("PATH")) return Follows::files;
  return Follows::anything;
}

/// Names of the commands directly below `parent`, without it.
[[nodiscard]] std::vector<const CommandDescription*> commands_below(
    const std::vector<CommandDescription>& commands, std::string_view parent) {
  std::vector<const CommandDescription*> below;
  const std::string prefix = parent.empty() ? "" : std::string(parent) + " ";
  for (const CommandDescription& command : commands) {
    if (command.name.size() <= prefix.size() || !command.name.starts_with(prefix)) continue;
    if (command.name.find(' ', prefix.size()) == std::string::npos) below.push_back(&command);
  }
  return below;
}

[[nodiscard]] std::string last_word(const CommandDescription& command) {
  return command.name.substr(command.name.rfind(' ') + 1);  // npos + 1 is 0
}

[[nodiscard]] std::string join(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

/// In single quotes, for any of the three shells.
[[nodiscard]] std::string shell_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') {
      result += R"('\'')";
    } else {
      result += c;
    }
  }
  return result + "'";
}

[[nodiscard]] std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

// bash

[[nodiscard]] std::string bash_value_case(const OptionDescription& option) {
  const std::string flags =
      option.short_flag.empty() ? option.flag : option.flag + "|" + option.short_flag;
  switch (what_follows(option)) {
    case Follows::choices:
      return fmt::format("{}) words={} ;;", flags, shell_quoted(join(option.choices)));
    case Follows::rules:
      return fmt::format("{}) words=$rules ;;", flags);
    case Follows::files:
    case Follows::anything:
      break;
  }
  return fmt::format("{}) return ;;", flags);
}

[[nodiscard]] std::string bash_command_case(const std::vector<CommandDescription>& commands,
                                            const CommandDescription& command) {
  std::string flags;
  std::string values;
  for (const OptionDescription& option : command.options) {
    flags += (flags.empty() ? "" : " ") + option.flag;
    if (!option.value.empty()) values += fmt::format("        {}\n", bash_value_case(option));
  }
  std::vector<std::string> plain = command.argument.choices;
  for (const CommandDescription* below : commands_below(commands, command.name)) {
    plain.push_back(last_word(*below));
  }
  const bool takes_rules = what_follows(command.argument) == Follows::rules;
  return fmt::format(
      "    {})\n      flags={}\n      plain={}\n      case $previous in\n{}      esac\n      ;;\n",
      shell_quoted(command.name), shell_quoted(flags),
      takes_rules ? "$rules" : shell_quoted(join(plain)), values);
}

constexpr std::string_view bash_head = R"(# bash completion for gpulint: `gpulint completions bash`
_gpulint() {
  COMPREPLY=()
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  if [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  elif [[ $word == = ]]; then
    word=
  fi
)";

constexpr std::string_view bash_tail = R"(  esac
  if [[ -n $words ]]; then
    local done=''
    [[ $words == "$rules" && $word == *,* ]] && done=${word%,*},
    mapfile -t COMPREPLY < <(compgen -P "$done" -W "$words" -- "${word##*,}")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$word")
  elif [[ -n $plain ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$plain" -- "$word")
  fi
}
complete -o bashdefault -o default -F _gpulint gpulint
)";

/// Commands that hold others, as a pattern: `debug`.
[[nodiscard]] std::string parents(const std::vector<CommandDescription>& commands) {
  std::vector<std::string> names;
  for (const CommandDescription& command : commands) {
    if (!command.name.empty() && !commands_below(commands, command.name).empty()) {
      names.push_back(command.name);
    }
  }
  return fmt::format("{}", fmt::join(names, "|"));
}

// zsh

[[nodiscard]] std::string zsh_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

[[nodiscard]] std::string zsh_action(const OptionDescription& option) {
  switch (what_follows(option)) {
    case Follows::choices:
      return fmt::format("({})", join(option.choices));
    case Follows::rules:
      return option.flag.empty() ? "($rules)" : "_values -s , rule $rules";
    case Follows::files:
      return "_files";
    case Follows::anything:
      break;
  }
  return "";
}

/// The flag, or both, as `_arguments` wants them: of two that are not repeatable each rules out the
/// other. `+`: the value may follow directly.
[[nodiscard]] std::string zsh_flags(const OptionDescription& option) {
  const bool has_value = !option.value.empty();
  const std::string flag = option.flag + (has_value ? "=" : "");
  const std::string repeat = option.is_repeatable ? "*" : "";
  if (option.short_flag.empty()) return shell_quoted(repeat + flag);
  const std::string before =
      option.is_repeatable ? repeat : fmt::format("({} {})", option.short_flag, option.flag);
  return fmt::format("{}{{{}{},{}}}", shell_quoted(before), option.short_flag, has_value ? "+" : "",
                     flag);
}

[[nodiscard]] std::string zsh_option(const OptionDescription& option) {
  const std::string help = fmt::format("[{}]", zsh_escaped(option.help));
  if (option.value.empty()) return zsh_flags(option) + shell_quoted(help);
  const std::string name = option.choices.empty() ? option.value : "value";
  return zsh_flags(option) +
         shell_quoted(fmt::format("{}:{}:{}", help, zsh_escaped(name), zsh_action(option)));
}

[[nodiscard]] std::string zsh_list(const std::vector<const CommandDescription*>& commands) {
  std::string lines;
  for (const CommandDescription* command : commands) {
    lines += fmt::format("    {}\n", shell_quoted(last_word(*command) + ":" +
                                                  zsh_escaped(first_line(command->help))));
  }
  return lines;
}

[[nodiscard]] std::string zsh_function_name(const CommandDescription& command) {
  std::string name = command.name.empty() ? "_gpulint" : "_gpulint_" + command.name;
  std::ranges::replace(name, ' ', '_');
  return name;
}

[[nodiscard]] std::string zsh_function(const std::vector<CommandDescription>& commands,
                                       const CommandDescription& command) {
  std::string specs;
  for (const OptionDescription& option : command.options) {
    specs += fmt::format(" \\\n    {}", zsh_option(option));
  }
  const auto below = commands_below(commands, command.name);
  std::string body = "  local -a rules=($gpulint_rules)\n";
  if (below.empty()) {
    if (!command.argument.value.empty()) {
      specs +=
          fmt::format(" \\\n    {}", shell_quoted(fmt::format("*:{}:{}", command.argument.value,
                                                              zsh_action(command.argument))));
    }
    body += fmt::format("  _arguments -s -S{}\n", specs);
  } else {
    body += fmt::format(
        "  local state line curcontext=$curcontext\n  local -a commands=(\n{}  )\n"
        "  _arguments -C{} \\\n    '1:command:->command' '*::argument:->argument'\n"
        "  case $state in\n    command) _describe command commands ;;\n"
        "    argument) (( $+functions[{}_$words[1]] )) && {}_$words[1] ;;\n  esac\n",
        zsh_list(below), specs, zsh_function_name(command), zsh_function_name(command));
  }
  return fmt::format("{}() {{\n{}}}\n", zsh_function_name(command), body);
}

// fish

[[nodiscard]] std::string fish_condition(const std::vector<CommandDescription>& commands,
                                         const CommandDescription& command) {
  std::vector<std::string> below;
  for (const CommandDescription* sub : commands_below(commands, command.name)) {
    below.push_back(last_word(*sub));
  }
  std::string condition;
  if (!command.name.empty()) {
    std::string all = command.name;
    condition = fmt::format("__fish_seen_subcommand_from {}", all.substr(0, all.find(' ')));
    if (all.find(' ') != std::string::npos) {
      condition += fmt::format("; and __fish_seen_subcommand_from {}", last_word(command));
    }
  }
  if (below.empty()) return condition;
  if (command.name.empty()) return "__fish_use_subcommand";
  return fmt::format("{}; and not __fish_seen_subcommand_from {}", condition, join(below));
}

[[nodiscard]] std::string fish_value(const OptionDescription& option) {
  switch (what_follows(option)) {
    case Follows::choices:
      // Behind a tab is a value's own description. Without one it gets that of the flag.
      return fmt::format(" -x -a {}",
                         shell_quoted(fmt::format("{}\\t", fmt::join(option.choices, "\\t "))));
    case Follows::rules:
      return option.flag.empty() ? " -f -a \"(__gpulint_rules)\""
                                 : " -x -a \"(__fish_complete_list , '__gpulint_rules')\"";
    case Follows::files:
      return option.flag.empty() ? "" : " -r -F";
    case Follows::anything:
      break;
  }
  return option.value.empty() ? "" : " -x";
}

[[nodiscard]] std::string fish_lines(const std::vector<CommandDescription>& commands,
                                     const CommandDescription& command) {
  const std::string head =
      fmt::format("complete -c gpulint -n {}", shell_quoted(fish_condition(commands, command)));
  std::string lines;
  for (const CommandDescription* below : commands_below(commands, command.name)) {
    lines += fmt::format("{} -f -a {} -d {}\n", head, last_word(*below),
                         shell_quoted(first_line(below->help)));
  }
  for (const OptionDescription& option : command.options) {
    const std::string short_flag =
        option.short_flag.empty() ? "" : fmt::format(" -s {}", option.short_flag.substr(1));
    lines += fmt::format("{}{} -l {}{} -d {}\n", head, short_flag, option.flag.substr(2),
                         fish_value(option), shell_quoted(option.help));
  }
  const Follows follows = what_follows(command.argument);
  if (follows == Follows::choices || follows == Follows::rules) {
    lines += fmt::format("{}{}\n", head, fish_value(command.argument));
  }
  return lines;
}

[[nodiscard]] std::string rules_and_categories(const CompletionWords& words) {
  std::vector<std::string> all = words.rules;
  std::ranges::copy(words.categories, std::back_inserter(all));
  return join(all);
}

}  // namespace

std::string bash_completions(const std::vector<CommandDescription>& commands,
                             const CompletionWords& words) {
  std::string cases;
  for (const CommandDescription& command : commands) cases += bash_command_case(commands, command);
  return fmt::format(
      "{}  local rules={}\n  local words='' flags='' plain='' command='' i\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n    [[ ${{COMP_WORDS[i]}} == -* ]] && continue\n"
      "    command=${{command:+$command }}${{COMP_WORDS[i]}}\n"
      "    [[ $command == @({}) ]] || break\n  done\n  case $command in\n{}{}",
      bash_head, shell_quoted(rules_and_categories(words)), parents(commands), cases, bash_tail);
}

std::string zsh_completions(const std::vector<CommandDescription>& commands,
                            const CompletionWords& words) {
  std::string functions;
  for (const CommandDescription& command : commands) functions += zsh_function(commands, command);
  return fmt::format(
      "#compdef gpulint\n# zsh completion for gpulint: `gpulint completions zsh`\n"
      "typeset -ga gpulint_rules=({})\n{}"
      "if [[ $funcstack[1] == _gpulint ]]; then\n  _gpulint \"$@\"\nelse\n"
      "  compdef _gpulint gpulint\nfi\n",
      rules_and_categories(words), functions);
}

std::string fish_completions(const std::vector<CommandDescription>& commands,
                             const CompletionWords& words) {
  std::string rules;
  for (std::size_t i = 0; i < words.rules.size(); ++i) {
    rules += fmt::format(" \\\n    {} {}", words.rules[i], shell_quoted(words.summaries[i]));
  }
  for (const std::string& category : words.categories) {
    rules += fmt::format(" \\\n    {} Category", category);
  }
  std::string lines;
  for (const CommandDescription& command : commands) lines += fish_lines(commands, command);
  return fmt::format(
      "# fish completion for gpulint: `gpulint completions fish`\n"
      "function __gpulint_rules\n  printf '%s\\t%s\\n'{}\nend\n{}",
      rules, lines);
}

}  // namespace gpulint
