#include "compiler/policy/shared_cel.h"

#include <algorithm>
#include <cstddef>

#include "compiler/base/text.h"

namespace gpulint::policy {
namespace {

constexpr std::string_view variables_file =
#include "variables.inc"
    ;
constexpr std::string_view matches_file =
#include "matches.inc"
    ;

[[nodiscard]] bool is_name_character(char c) { return c == '_' || is_alphanumeric(c); }

}  // namespace

const std::vector<CelBlock>& shared_variables() {
  static const std::vector<CelBlock> blocks = read_cel_blocks(variables_file);
  return blocks;
}

std::string_view find_match(std::string_view name) {
  static const std::vector<CelBlock> blocks = read_cel_blocks(matches_file);
  const auto found = std::ranges::find(blocks, name, &CelBlock::key);
  return found == blocks.end() ? std::string_view{} : found->text;
}

std::vector<std::string> used_variables(std::string_view expression) {
  constexpr std::string_view prefix = "variables.";
  std::vector<std::string> names;
  for (std::size_t at = expression.find(prefix); at != std::string_view::npos;
       at = expression.find(prefix, at)) {
    at += prefix.size();
    const auto begin = expression.begin() + static_cast<std::ptrdiff_t>(at);
    std::string name(begin, std::find_if_not(begin, expression.end(), is_name_character));
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace gpulint::policy
