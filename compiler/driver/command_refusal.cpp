#include "compiler/driver/command_refusal.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "compiler/base/text.h"

namespace gpulint {
namespace {

/// `debug json` of the words `json` behind `debug`.
[[nodiscard]] std::string below(const std::string& command, std::string_view word) {
  return command.empty() ? std::string(word) : fmt::format("{} {}", command, word);
}

[[nodiscard]] const CommandDescription* find_command(
    const std::vector<CommandDescription>& commands, const std::string& name) {
  const auto found = std::ranges::find(commands, name, &CommandDescription::name);
  return found == commands.end() ? nullptr : &*found;
}

/// The last words of the commands directly below one.
[[nodiscard]] std::vector<std::string_view> words_below(
    const std::vector<CommandDescription>& commands, const std::string& command) {
  const std::string prefix = command.empty() ? "" : command + " ";
  std::vector<std::string_view> words;
  for (const CommandDescription& each : commands) {
    const std::string_view name = each.name;
    if (name.size() <= prefix.size() || !name.starts_with(prefix)) continue;
    const std::string_view word = name.substr(prefix.size());
    if (word.find(' ') == std::string_view::npos) words.push_back(word);
  }
  return words;
}

[[nodiscard]] std::string explain_command(const std::string& program,
                                          const std::vector<CommandDescription>& commands,
                                          const std::string& command, const std::string& word) {
  const auto meant = nearest(word, words_below(commands, command));
  if (meant) {
    return fmt::format("unknown command `{}`; did you mean `{} {}`?", below(command, word), program,
                       below(command, *meant));
  }
  std::error_code error;
  if (command.empty() && std::filesystem::exists(word, error)) {
    return fmt::format("`{0}` is no command; to check it: {1} check {0}", word, program);
  }
  return fmt::format("unknown command `{}`; `{} help{}{}` lists what there is",
                     below(command, word), program, command.empty() ? "" : " ", command);
}

/// The first command that has the flag.
[[nodiscard]] const CommandDescription* find_flag(const std::vector<CommandDescription>& commands,
                                                  std::string_view flag) {
  const auto has_flag = [&](const CommandDescription& command) {
    return std::ranges::any_of(command.options, [&](const OptionDescription& option) {
      return option.flag == flag || option.short_flag == flag;
    });
  };
  const auto found = std::ranges::find_if(commands, has_flag);
  return found == commands.end() ? nullptr : &*found;
}

[[nodiscard]] std::string explain_flag(const std::string& program,
                                       const std::vector<CommandDescription>& commands,
                                       const std::string& command, std::string_view word) {
  const std::string_view flag = word.substr(0, word.find('='));
  const std::string of = command.empty() ? program : program + " " + command;
  if (const CommandDescription* other = find_flag(commands, flag); other && !other->name.empty()) {
    return fmt::format("`{}` takes no `{}`; `{} {}` does", of, flag, program, other->name);
  }
  std::vector<std::string_view> flags;
  const CommandDescription* const known = find_command(commands, command);
  if (known != nullptr) {
    for (const OptionDescription& option : known->options) flags.emplace_back(option.flag);
  }
  if (const auto meant = nearest(flag, flags)) {
    return fmt::format("unknown flag `{}`; did you mean `{}`?", flag, *meant);
  }
  return fmt::format("unknown flag `{}`; `{} --help` lists them", flag, of);
}

}  // namespace

std::optional<std::string> explain_words(const std::string& program,
                                         const std::vector<CommandDescription>& commands,
                                         const std::string& command,
                                         const std::vector<std::string>& words) {
  if (words.empty()) {
    if (words_below(commands, command).empty()) return std::nullopt;
    const std::string of = command.empty() ? "" : " " + command;
    return fmt::format("`{1}{0}` needs a command; `{1} help{0}` lists them", of, program);
  }
  if (!words.front().starts_with('-') && !words_below(commands, command).empty()) {
    return explain_command(program, commands, command, words.front());
  }
  const auto flag = std::ranges::find_if(
      words, [](const std::string& word) { return word.size() > 1 && word.starts_with('-'); });
  if (flag == words.end()) return std::nullopt;
  return explain_flag(program, commands, command, *flag);
}

std::optional<std::string> refuse_command(const std::string& program,
                                          const std::vector<CommandDescription>& commands,
                                          const std::vector<std::string>& words) {
  std::string command;
  for (const std::string& word : words) {
    if (word.starts_with('-')) continue;
    const std::string name = below(command, word);
    if (find_command(commands, name) == nullptr) {
      if (!words_below(commands, command).empty()) {
        return explain_command(program, commands, command, word);
      }
      return fmt::format("`{} {}` has no commands", program, command);
    }
    command = name;
  }
  return std::nullopt;
}

}  // namespace gpulint
