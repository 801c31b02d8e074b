#include "compiler/driver/command_line.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"

namespace gpulint {
namespace {

[[nodiscard]] std::string file_name(std::string_view program) {
  return std::filesystem::path(program).filename().string();
}

/// `debug json` for the word `json` after `debug`.
[[nodiscard]] std::string below(const std::string& command, std::string_view word) {
  return command.empty() ? std::string(word) : fmt::format("{} {}", command, word);
}

[[nodiscard]] const CommandDescription* find_command(
    const std::vector<CommandDescription>& commands, const std::string& name) {
  const auto found = std::ranges::find(commands, name, &CommandDescription::name);
  return found == commands.end() ? nullptr : &*found;
}

/// The commands directly below one: their last words, with their help.
[[nodiscard]] std::vector<Offer> commands_below(const std::vector<CommandDescription>& commands,
                                                const std::string& command) {
  const std::string prefix = command.empty() ? "" : command + " ";
  std::vector<Offer> below;
  for (const CommandDescription& each : commands) {
    if (each.name.size() <= prefix.size() || !each.name.starts_with(prefix)) continue;
    std::string word = each.name.substr(prefix.size());
    if (word.find(' ') != std::string::npos) continue;
    below.push_back({std::move(word), each.help.substr(0, each.help.find('\n'))});
  }
  return below;
}

[[nodiscard]] std::vector<std::string_view> words_of(const std::vector<Offer>& offers) {
  std::vector<std::string_view> words;
  for (const Offer& offer : offers) words.emplace_back(offer.word);
  return words;
}

[[nodiscard]] std::string explain_command(const std::string& program,
                                          const std::vector<CommandDescription>& commands,
                                          const std::string& command, const std::string& word) {
  const std::vector<Offer> known = commands_below(commands, command);
  const std::vector<std::string_view> words = words_of(known);
  const auto meant = nearest(word, words);
  if (meant) {
    return fmt::format("unknown command `{}`; did you mean `{} {}`?", below(command, word), program,
                       below(command, *meant));
  }
  std::error_code error;
  if (command.empty() && std::filesystem::exists(word, error)) {
    return fmt::format("`{0}` is not a command; to check it: {1} check {0}", word, program);
  }
  return fmt::format("unknown command `{}`; `{} help{}{}` lists all commands", below(command, word),
                     program, command.empty() ? "" : " ", command);
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

/// Whether the command has an output format with the flag's name: `--json`.
[[nodiscard]] bool is_format(const CommandDescription& command, std::string_view flag) {
  return std::ranges::any_of(command.options, [&](const OptionDescription& option) {
    return option.flag == "--format" && flag.starts_with("--") &&
           std::ranges::find(option.choices, flag.substr(2)) != option.choices.end();
  });
}

[[nodiscard]] std::string explain_flag(const std::string& program,
                                       const std::vector<CommandDescription>& commands,
                                       const std::string& command, std::string_view word) {
  const std::string_view flag = word.substr(0, word.find('='));
  const std::string of = command.empty() ? program : program + " " + command;
  if (const CommandDescription* other = find_flag(commands, flag); other && !other->name.empty()) {
    return fmt::format("`{}` does not accept `{}`; `{} {}` does", of, flag, program, other->name);
  }
  std::vector<std::string_view> flags;
  const CommandDescription* const known = find_command(commands, command);
  if (known != nullptr) {
    for (const OptionDescription& option : known->options) flags.emplace_back(option.flag);
  }
  if (known != nullptr && is_format(*known, flag)) {
    return fmt::format("unknown flag `{}`; did you mean `--format {}`?", flag, flag.substr(2));
  }
  if (const auto meant = nearest(flag, flags)) {
    return fmt::format("unknown flag `{}`; did you mean `{}`?", flag, *meant);
  }
  return fmt::format("unknown flag `{}`; `{} --help` lists them", flag, of);
}

/// The last command that the words before the one being typed name.
[[nodiscard]] const CommandDescription& command_of(const std::vector<CommandDescription>& commands,
                                                   const std::vector<std::string>& words) {
  const CommandDescription* command = &commands.front();
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const CommandDescription* const next = find_command(commands, below(command->name, words[i]));
    if (next != nullptr) command = next;
  }
  return *command;
}

/// Null if the command has no such flag with a value.
[[nodiscard]] const OptionDescription* option_named(const CommandDescription& command,
                                                    const std::string& flag) {
  const auto is_meant = [&](const OptionDescription& option) {
    return !option.value.empty() && (option.flag == flag || option.short_flag == flag);
  };
  const auto found = std::ranges::find_if(command.options, is_meant);
  return found == command.options.end() ? nullptr : &*found;
}

struct Offers {
  std::vector<Offer> all;
  bool are_files = false;
};

[[nodiscard]] Offers values_of(const OptionDescription& option, const std::vector<Offer>& rules) {
  Offers offers;
  for (const std::string& choice : option.choices) offers.all.push_back({choice, ""});
  if (!offers.all.empty()) return offers;
  if (option.value == "LIST" || option.value.starts_with("ID")) return {rules};
  return {{}, option.value == "FILE" || option.value.starts_with("PATH")};
}

/// `option`: the option whose value the last word is; null if it is none.
[[nodiscard]] Offers offers_for(const std::vector<CommandDescription>& commands,
                                const CommandDescription& command, const OptionDescription* option,
                                const std::vector<Offer>& rules, const std::string& typed) {
  if (option != nullptr) return values_of(*option, rules);
  Offers offers;
  if (typed.starts_with('-')) {
    for (const OptionDescription& each : command.options) {
      offers.all.push_back({each.flag, each.help});
    }
    return offers;
  }
  offers = values_of(command.argument, rules);
  for (Offer& offer : commands_below(commands, command.name))
    offers.all.push_back(std::move(offer));
  return offers;
}

}  // namespace

std::string name_as_typed(std::string_view program) {
  if (file_name(program).starts_with("kubectl-")) return "kubectl gpulint";
  const char* const helm_plugin =
      std::getenv("HELM_PLUGIN_NAME");  // NOLINT(concurrency-mt-unsafe): no code sets variables
  if (helm_plugin != nullptr && std::string_view(helm_plugin) == "gpulint") return "helm gpulint";
  return "gpulint";
}

std::vector<std::string> words_of_name(std::string_view program) {
  const std::string name = file_name(program);
  if (name == "gpulint-krm") return {"filter"};
  if (name == "kubectl_complete-gpulint") return {std::string(completion_command)};
  return {};
}

std::optional<std::string> explain_words(const std::string& program,
                                         const std::vector<CommandDescription>& commands,
                                         const std::string& command,
                                         const std::vector<std::string>& words) {
  if (words.empty()) {
    if (commands_below(commands, command).empty()) return std::nullopt;
    const std::string of = command.empty() ? "" : " " + command;
    return fmt::format("`{1}{0}` needs a command; `{1} help{0}` lists them", of, program);
  }
  if (!words.front().starts_with('-') && !commands_below(commands, command).empty()) {
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
      if (!commands_below(commands, command).empty()) {
        return explain_command(program, commands, command, word);
      }
      return fmt::format("`{} {}` has no commands", program, command);
    }
    command = name;
  }
  return std::nullopt;
}

std::string complete_words(const std::vector<CommandDescription>& commands,
                           const std::vector<Offer>& rules, std::vector<std::string> words) {
  if (words.empty()) words.emplace_back();
  const CommandDescription& command = command_of(commands, words);
  std::string done;  // of the last word, what stays before each offer: `--select=`, `placement,`
  if (const std::size_t equals = words.back().find('=');
      words.back().starts_with("--") && equals != std::string::npos) {
    done = words.back().substr(0, equals + 1);
    words.push_back(words.back().substr(equals + 1));
    words[words.size() - 2].resize(equals);
  }
  const OptionDescription* const option =
      words.size() > 1 ? option_named(command, words[words.size() - 2]) : nullptr;
  std::string typed = words.back();
  if (option != nullptr && option->value == "LIST") {
    const std::size_t begin = typed.rfind(',') + 1;  // npos + 1 is 0
    done += typed.substr(0, begin);
    typed.erase(0, begin);
  }
  const Offers offers = offers_for(commands, command, option, rules, typed);
  std::string lines;
  for (const auto& [word, description] : offers.all) {
    if (!word.starts_with(typed)) continue;
    lines += fmt::format("{}{}{}{}\n", done, word, description.empty() ? "" : "\t", description);
  }
  return lines + (offers.are_files ? ":0\n" : ":4\n");
}

}  // namespace gpulint
