#include "compiler/engine/rule_policy.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include <fmt/format.h>

#include "compiler/base/text.h"

namespace gpulint {
namespace {

[[nodiscard]] std::size_t indentation_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

/// The lines at the front of `rest` that are indented more than keys.
[[nodiscard]] std::string take_indented(std::string_view& rest) {
  std::string text;
  std::size_t margin = 0;
  while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\n')) {
    std::string_view line = take_part(rest, '\n');
    if (text.empty()) margin = indentation_of(line);
    line.remove_prefix(std::min(margin, indentation_of(line)));
    if (text.empty() && line.empty()) continue;
    text.append(line).append("\n");
  }
  text.resize(text.find_last_not_of(" \n") + 1);
  return text;
}

[[nodiscard]] std::vector<std::string> split_words(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const std::string_view word = trim(take_part(list, ','));
    if (!word.empty()) words.emplace_back(word);
  }
  return words;
}

[[nodiscard]] bool set_target(RulePolicy& policy, std::string_view word) {
  using On = RulePolicy::On;
  constexpr std::array<std::pair<std::string_view, On>, 4> targets{
      {{"pods", On::pods}, {"nodes", On::nodes}, {"quotas", On::quotas}, {"claims", On::claims}}};
  for (const auto& [name, on] : targets) {
    if (name != word) continue;
    policy.on = on;
    return true;
  }
  return false;
}

[[nodiscard]] bool set_value(RulePolicy& policy, const CelBlock& block) {
  if (block.text.empty()) return false;
  if (block.key == "none") return policy.none = block.text, true;
  if (block.key == "finding") return policy.finding = block.text, true;
  if (block.key == "mutation") return policy.mutation = block.text, true;
  if (block.key == "partly") return policy.partly = block.text, true;
  if (block.key == "needs") return policy.needs = split_words(block.text), true;
  if (block.key == "looks-at") return policy.looks_at = split_words(block.text), true;
  if (block.key == "on") return set_target(policy, block.text);
  if (block.key == "deny" && block.text == "never") return policy.may_deny = false, true;
  return false;
}

}  // namespace

std::vector<CelBlock> read_cel_blocks(std::string_view file) {
  std::vector<CelBlock> blocks;
  while (!file.empty()) {
    const std::string_view line = take_part(file, '\n');
    if (line.empty() || line.front() == '#') continue;
    const std::size_t colon = std::min(line.find(':'), line.size());
    CelBlock block{line.substr(0, colon), {}};
    block.text = trim(line.substr(std::min(colon + 1, line.size())));
    if (block.text.empty()) block.text = take_indented(file);
    blocks.push_back(std::move(block));
  }
  return blocks;
}

RulePolicy read_rule_policy(std::string_view file) {
  RulePolicy policy;
  for (const CelBlock& block : read_cel_blocks(file)) {
    if (set_value(policy, block) || !policy.problem.empty()) continue;
    policy.problem = fmt::format("`{}: {}` is not valid", block.key, block.text);
  }
  if (policy.none.empty() == policy.finding.empty() && policy.problem.empty()) {
    policy.problem = "must have one of `finding` and `none`";
  }
  return policy;
}

std::string policy_note(const RulePolicy& policy) {
  if (!policy.is_written()) {
    return "The command `gpulint policy` creates no admission policy for this rule.";
  }
  if (policy.partly.empty()) {
    return "The command `gpulint policy` creates an admission policy for this rule.";
  }
  return fmt::format(
      "The command `gpulint policy` creates an admission policy for a part of this rule. {}",
      policy.partly);
}

}  // namespace gpulint
