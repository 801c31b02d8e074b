#include "compiler/base/likeness.h"

#include <algorithm>
#include <tuple>

#include "compiler/base/text.h"

namespace gpulint {

bool is_part_of_name(std::string_view part, std::string_view name) {
  if (part.empty()) return false;
  const std::string small = to_lower(part);
  const std::string whole = to_lower(name);
  for (std::size_t at = whole.find(small); at != std::string::npos;
       at = whole.find(small, at + 1)) {
    const std::size_t end = at + small.size();
    const bool is_begin = at == 0 || !is_alphanumeric(whole[at - 1]);
    if (is_begin && (end == whole.size() || !is_alphanumeric(whole[end]))) return true;
  }
  return false;
}

std::optional<std::string_view> only_with_part(std::string_view word,
                                               std::span<const std::string_view> candidates) {
  std::optional<std::string_view> only;
  for (const std::string_view candidate : candidates) {
    if (!is_part_of_name(word, candidate) && !is_part_of_name(candidate, word)) continue;
    if (only && *only != candidate) return std::nullopt;
    only = candidate;
  }
  return only;
}

void sort_by_likeness(std::string_view word, std::vector<std::string>& names) {
  const std::string folded = to_lower(word);
  const auto rank = [&](const std::string& name) {
    const bool is_part = is_part_of_name(word, name) || is_part_of_name(name, word);
    const std::size_t longest = std::max(word.size(), name.size());
    return std::tuple(!is_part, edit_distance(folded, to_lower(name), longest), name);
  };
  std::ranges::sort(names, {}, rank);
}

}  // namespace gpulint
