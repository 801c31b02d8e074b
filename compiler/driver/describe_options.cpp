#include "compiler/driver/describe_options.h"

#include <CLI/CLI.hpp>

namespace gpulint {
namespace {

[[nodiscard]] OptionDescription describe(const CLI::Option& option) {
  OptionDescription described;
  described.help = option.get_description();
  described.is_repeatable = option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll ||
                            option.get_items_expected_max() > 1;
  if (!option.get_lnames().empty()) described.flag = "--" + option.get_lnames().front();
  if (!option.get_snames().empty()) described.short_flag = "-" + option.get_snames().front();
  if (option.get_items_expected_max() > 0) {
    described.value = option.get_positional() ? option.get_name(true) : option.get_type_name();
    described.choices = split_choices(option.get_type_name());
  }
  return described;
}

[[nodiscard]] CommandDescription describe(const CLI::App& app, const std::string& prefix) {
  CommandDescription described{prefix + app.get_name(), app.get_description(), {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    OptionDescription one = describe(*option);
    if (option->get_positional()) {
      described.argument = std::move(one);
    } else {
      described.options.push_back(std::move(one));
    }
  }
  return described;
}

void describe_below(const CLI::App& app, const std::string& prefix,
                    std::vector<CommandDescription>& commands) {
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    commands.push_back(describe(*sub, prefix));
    describe_below(*sub, prefix + sub->get_name() + " ", commands);
  }
}

}  // namespace

std::vector<std::string> split_choices(const std::string& text) {
  std::vector<std::string> words;
  if (text.find('|') == std::string::npos) return words;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
    end = text.find('|', begin);
    words.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
  }
  return words;
}

std::vector<CommandDescription> describe_app(const CLI::App& app) {
  std::vector<CommandDescription> commands = {describe(app, "")};
  commands.front().name.clear();
  describe_below(app, "", commands);
  return commands;
}

}  // namespace gpulint
