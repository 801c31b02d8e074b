#include "compiler/driver/complete_words.h"

#include <algorithm>

#include <fmt/format.h>

namespace gpulint {
namespace {

struct Offers {
  std::vector<std::string> words;
  bool are_files = false;
};

[[nodiscard]] const CommandDescription* command_named(
    const std::vector<CommandDescription>& commands, const std::string& name) {
  const auto found = std::ranges::find(commands, name, &CommandDescription::name);
  return found == commands.end() ? nullptr : &*found;
}

/// The last command that the words before the typed one name.
[[nodiscard]] const CommandDescription& command_of(const std::vector<CommandDescription>& commands,
                                                   const std::vector<std::string>& words) {
  const CommandDescription* command = &commands.front();
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string prefix = command->name.empty() ? "" : command->name + " ";
    const CommandDescription* const below = command_named(commands, prefix + words[i]);
    if (below != nullptr) command = below;
  }
  return *command;
}

[[nodiscard]] const OptionDescription* option_named(const CommandDescription& command,
                                                    const std::string& flag) {
  const auto is_meant = [&](const OptionDescription& option) {
    return !option.value.empty() && (option.flag == flag || option.short_flag == flag);
  };
  const auto found = std::ranges::find_if(command.options, is_meant);
  return found == command.options.end() ? nullptr : &*found;
}

[[nodiscard]] std::vector<std::string> rule_names(const CompletionWords& known) {
  std::vector<std::string> names = known.rules;
  names.insert(names.end(), known.categories.begin(), known.categories.end());
  return names;
}

[[nodiscard]] Offers values_of(const OptionDescription& option, const CompletionWords& known) {
  if (!option.choices.empty()) return {option.choices};
  if (option.value == "LIST" || option.value.starts_with("ID")) return {rule_names(known)};
  return {{}, option.value == "FILE" || option.value.starts_with("PATH")};
}

[[nodiscard]] Offers offers_for(const std::vector<CommandDescription>& commands,
                                const CompletionWords& known,
                                const std::vector<std::string>& words) {
  const CommandDescription& command = command_of(commands, words);
  if (words.size() > 1) {
    const OptionDescription* const option = option_named(command, words[words.size() - 2]);
    if (option != nullptr) return values_of(*option, known);
  }
  Offers offers;
  if (words.back().starts_with('-')) {
    for (const OptionDescription& option : command.options) offers.words.push_back(option.flag);
    return offers;
  }
  offers = values_of(command.argument, known);
  const std::string prefix = command.name.empty() ? "" : command.name + " ";
  for (const CommandDescription& below : commands) {
    const bool is_below = below.name.size() > prefix.size() && below.name.starts_with(prefix) &&
                          below.name.find(' ', prefix.size()) == std::string::npos;
    if (is_below) offers.words.push_back(below.name.substr(prefix.size()));
  }
  return offers;
}

}  // namespace

std::string complete_words(const std::vector<CommandDescription>& commands,
                           const CompletionWords& known, const std::vector<std::string>& words) {
  const std::vector<std::string> typed = words.empty() ? std::vector<std::string>{""} : words;
  const Offers offers = offers_for(commands, known, typed);
  std::string lines;
  for (const std::string& word : offers.words) {
    if (word.starts_with(typed.back())) lines += word + '\n';
  }
  return lines + (offers.are_files ? ":0\n" : ":4\n");
}

}  // namespace gpulint
