#include "backends/wrap.h"

#include <algorithm>

#include "backends/unicode.h"

namespace gpulint {
namespace {

constexpr std::size_t least_room = 24;

}  // namespace

std::vector<std::string> wrap_words(std::string_view text, std::size_t first, std::size_t hang,
                                    std::size_t width) {
  if (width < hang + least_room) return {std::string(text)};
  std::vector<std::string> lines(1);
  std::size_t column = first;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const bool is_fresh = at == 0;
    const std::size_t cells = cell_width(word) + (is_fresh ? 0 : 1);
    if (!is_fresh && column + cells > width) {
      lines.emplace_back(word);
      column = hang + cells - 1;
    } else {
      lines.back().append(is_fresh ? "" : " ").append(word);
      column += cells;
    }
    at = end + 1;
  }
  return lines;
}

std::string wrapped(std::string_view text, std::size_t first, std::size_t hang, std::size_t width) {
  std::string all;
  for (const std::string& line : wrap_words(text, first, hang, width)) {
    if (!all.empty()) all += "\n" + std::string(hang, ' ');
    all += line;
  }
  return all;
}

}  // namespace gpulint
