#include <cstdio>
#include <set>

#include <fmt/format.h>

#include "compiler/driver/command_line.h"
#include "compiler/driver/commands.h"
#include "compiler/engine/registry.h"

namespace gpulint {
namespace {

/// Rules and categories.
[[nodiscard]] std::vector<Offer> rule_offers() {
  std::vector<Offer> offers;
  std::set<std::string_view> categories;
  for (const RegisteredRule& rule : all_rules()) {
    offers.push_back({std::string(rule.rule->info.id), std::string(rule.rule->info.summary)});
    categories.insert(rule.rule->info.category);
  }
  for (const std::string_view name : categories) offers.push_back({std::string(name), "Category"});
  return offers;
}

}  // namespace

int run_complete_words(const Options& options) {
  fmt::print("{}", complete_words(describe_command_line(), rule_offers(), options.paths));
  return std::fflush(stdout) == 0 ? 0 : 2;
}

int run_completions(const Options& options) {
  fmt::print("{}", completion_script(options.paths.front()));
  return std::fflush(stdout) == 0 ? 0 : 2;
}

}  // namespace gpulint
