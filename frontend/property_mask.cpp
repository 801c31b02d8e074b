#include "frontend/property_mask.h"

#include <algorithm>
#include <cstddef>

#include "frontend/line_scanner.h"

namespace gpulint {
namespace {

void fill(std::string& text, Extent extent, char filler) {
  std::fill(text.begin() + static_cast<std::ptrdiff_t>(extent.begin),
            text.begin() + static_cast<std::ptrdiff_t>(extent.end), filler);
}

}  // namespace

std::optional<std::string> mask_properties(std::string_view text, std::uint32_t content) {
  const Extent range{content, static_cast<std::uint32_t>(text.size())};
  LineScanner scanner(text, range, LineScanner::Purpose::properties);
  scanner.scan();
  const bool has_alias_key = std::ranges::any_of(scanner.aliases(), [&](const Extent& alias) {
    return alias.end < text.size() && text[alias.end] == ':';
  });
  if (scanner.block_properties().empty() && scanner.breaks_behind_keys().empty() &&
      scanner.key_marks().empty() && scanner.escaped_breaks().empty() && !has_alias_key) {
    return std::nullopt;
  }
  std::string masked(text);
  for (const Extent properties : scanner.block_properties()) fill(masked, properties, ' ');
  for (const Extent alias : scanner.aliases()) fill(masked, alias, 'x');
  for (const Extent line_break : scanner.breaks_behind_keys()) fill(masked, line_break, ' ');
  for (const Extent mark : scanner.key_marks()) fill(masked, mark, ' ');
  for (const Extent escape : scanner.escaped_breaks()) fill(masked, escape, 'x');
  return masked;
}

}  // namespace gpulint
