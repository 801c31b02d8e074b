#include "frontend/stream.h"

#include <cstddef>

namespace gpulint {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// `---` or `...` at `at`, followed by a blank or nothing.
[[nodiscard]] bool is_marker(std::string_view text, std::size_t at, std::string_view marker) {
  if (text.compare(at, marker.size(), marker) != 0) return false;
  if (at + marker.size() == text.size()) return true;
  const char next = text[at + marker.size()];
  return next == ' ' || next == '\t' || next == '\r' || next == '\n';
}

/// The next line from `from` on that starts with a marker; the end of the text if there is none.
/// `from` must be the start of a line.
[[nodiscard]] std::size_t find_marker(std::string_view text, std::size_t from) {
  for (std::size_t at = from; at < text.size();) {
    if (is_marker(text, at, "---") || is_marker(text, at, "...")) return at;
    // Dashes and dots at a line's start are rare, so the search is for both with the break.
    const std::size_t dashes = text.find("\n---", at);
    const std::size_t dots = text.substr(0, dashes).find("\n...", at);
    const std::size_t next = dots != std::string_view::npos ? dots : dashes;
    if (next == std::string_view::npos) return text.size();
    at = next + 1;
  }
  return text.size();
}

[[nodiscard]] std::size_t next_line(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  return end == std::string_view::npos ? text.size() : end + 1;
}

enum class Filling { blank, comments, content };

/// What lines outside any document hold. Directives count as comments: they belong to the next.
[[nodiscard]] Filling filling(std::string_view text) {
  Filling result = Filling::blank;
  for (std::size_t at = 0; at < text.size(); at = next_line(text, at)) {
    const std::size_t first = text.find_first_not_of(" \t\r", at);
    if (first == std::string_view::npos) break;
    if (text[first] == '\n') continue;
    if (text[first] != '#' && text[at] != '%') return Filling::content;
    result = Filling::comments;
  }
  return result;
}

}  // namespace

std::vector<DocumentText> split_stream(std::string_view text) {
  std::vector<DocumentText> documents;
  std::size_t begin = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  const auto add = [&](std::size_t content, std::size_t end, bool has_marker) {
    documents.push_back({.index = static_cast<std::uint32_t>(documents.size()),
                         .begin = static_cast<std::uint32_t>(begin),
                         .content = static_cast<std::uint32_t>(content),
                         .end = static_cast<std::uint32_t>(end),
                         .has_marker = has_marker});
  };
  std::size_t content = begin;
  bool has_marker = false;
  for (std::size_t at = begin;;) {
    const std::size_t end = find_marker(text, at);
    const bool at_end = end == text.size();
    const Filling held = has_marker ? Filling::content : filling(text.substr(begin, end - begin));
    if (held == Filling::content || (at_end && held == Filling::comments)) {
      add(content, end, has_marker);
      begin = end;
    }
    if (at_end) return documents;
    has_marker = text[end] == '-';
    at = next_line(text, end);
    content = has_marker ? end + 3 : at;
    if (!has_marker) begin = at;
  }
}

}  // namespace gpulint
