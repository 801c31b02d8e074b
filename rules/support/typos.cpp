#include "rules/support/typos.h"

#include <algorithm>
#include <cstddef>

#include "compiler/base/text.h"

namespace gpulint::rules {
namespace {

/// The part of `text` between separators that is neither prefix nor suffix.
[[nodiscard]] std::size_t part_length(std::string_view text, std::size_t prefix,
                                      std::size_t suffix) {
  constexpr std::string_view separators = "-._/";
  const std::size_t before = text.substr(0, prefix).find_last_of(separators);
  const std::size_t after = text.find_first_of(separators, text.size() - suffix);
  return std::min(after, text.size()) - (before == std::string_view::npos ? 0 : before + 1);
}

}  // namespace

bool is_slip_of(std::string_view written, std::string_view name) {
  constexpr std::size_t shortest_part = 3;
  if (edit_distance(written, name, 1) != 1) return false;
  const std::size_t shorter = std::min(written.size(), name.size());
  std::size_t prefix = 0;
  while (prefix < shorter && written[prefix] == name[prefix]) ++prefix;
  std::size_t suffix = 0;
  while (suffix < shorter - prefix &&
         written[written.size() - 1 - suffix] == name[name.size() - 1 - suffix]) {
    ++suffix;
  }
  const auto differs_by_letter = [&](std::string_view text) {
    const std::string_view changed = text.substr(prefix, text.size() - prefix - suffix);
    return changed.find_first_of("0123456789") == std::string_view::npos &&
           part_length(text, prefix, suffix) >= shortest_part;
  };
  return differs_by_letter(written) && differs_by_letter(name);
}

}  // namespace gpulint::rules
