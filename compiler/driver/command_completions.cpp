#include <cstdio>
#include <set>

#include <fmt/format.h>

#include "backends/completions.h"
#include "compiler/driver/command_line.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/complete_words.h"
#include "compiler/engine/registry.h"

namespace gpulint {
namespace {

[[nodiscard]] CompletionWords completion_words() {
  CompletionWords words;
  std::set<std::string> categories;
  for (const RegisteredRule& rule : all_rules()) {
    words.rules.emplace_back(rule.rule->info.id);
    words.summaries.emplace_back(rule.rule->info.summary);
    categories.emplace(rule.rule->info.category);
  }
  words.categories.assign(categories.begin(), categories.end());
  return words;
}

}  // namespace

int run_complete_words(const std::vector<std::string>& words) {
  fmt::print("{}", complete_words(describe_command_line(), completion_words(), words));
  return std::fflush(stdout) == 0 ? 0 : 2;
}

int run_completions(const Options& options) {
  const std::string& shell = options.paths.front();
  const auto write = shell == "bash"  ? bash_completions
                     : shell == "zsh" ? zsh_completions
                                      : fish_completions;
  fmt::print("{}", write(describe_command_line(), completion_words()));
  return std::fflush(stdout) == 0 ? 0 : 2;
}

}  // namespace gpulint
