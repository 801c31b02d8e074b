#include "backends/snippet.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "backends/unicode.h"

namespace gpulint {
namespace {

/// A cell takes at most this many bytes, except for combining marks.
constexpr std::size_t bytes_per_cell = 4;
constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view ellipsis = "…";

/// Half-open, in bytes of a line or in cells.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// A unit of output: a code point, or the escape in its place.
struct Glyph {
  std::string text;
  Range cells;  ///< Counted from the first glyph.
};

/// The glyphs near the mark, and the mark in cells.
struct Drawing {
  std::vector<Glyph> glyphs;
  Range mark;
  std::size_t width = 0;
  bool cut_before = false;
  bool cut_after = false;
};

/// The span's part of the line, in bytes from the line's start.
[[nodiscard]] Range mark_in_line(const SourceFile& file, std::uint32_t line, Span span) {
  std::size_t start = file.line_start(line);
  if (line == 1 && file.text().starts_with(byte_order_mark)) start += byte_order_mark.size();
  const std::size_t size = file.line_text(line).size();
  const auto within = [&](std::size_t offset) {
    return std::min(size, offset > start ? offset - start : 0);
  };
  return {within(span.begin), within(span.end)};
}

[[nodiscard]] bool continues_code_point(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// The bytes of the line near the mark: on each side whole code points enough for `limit` cells.
[[nodiscard]] Range neighbourhood(std::string_view line, Range mark, std::size_t limit) {
  const std::size_t reach = limit * bytes_per_cell;
  const std::size_t first = mark.begin > reach ? mark.begin - reach : 0;
  std::size_t begin = mark.begin;
  for (std::size_t count = 0; begin > first && count < limit;) {
    count += continues_code_point(line[--begin]) ? 0U : 1U;
  }
  for (int i = 0; i < 3 && begin > 0 && continues_code_point(line[begin]); ++i) --begin;
  const std::size_t last = std::min(line.size(), mark.begin + reach);
  std::size_t end = mark.begin;
  for (std::size_t count = 0; end < last && count < limit;) {
    count += continues_code_point(line[end++]) ? 0U : 1U;
  }
  for (int i = 0; i < 3 && end < line.size() && continues_code_point(line[end]); ++i) ++end;
  return {begin, end};
}

[[nodiscard]] Drawing draw(std::string_view line, Range mark, std::size_t limit) {
  const Range shown = neighbourhood(line, mark, limit);
  Drawing drawing;
  drawing.cut_before = shown.begin > 0;
  drawing.cut_after = shown.end < line.size();
  for (std::size_t at = shown.begin; at < shown.end;) {
    const std::string_view rest = line.substr(at);
    const CodePoint c = decode_code_point(rest);
    std::string text = printable(rest, c);
    const std::size_t end = drawing.width + cell_width(text);
    if (at < mark.begin) drawing.mark.begin = end;
    if (at < mark.end) drawing.mark.end = end;
    drawing.glyphs.push_back({std::move(text), {drawing.width, end}});
    drawing.width = end;
    at += c.size;
  }
  return drawing;
}

/// The cells to show: all if they fit, else a stretch with the mark in its first half.
[[nodiscard]] Range choose_window(const Drawing& drawing, std::size_t limit) {
  const bool whole = !drawing.cut_before && !drawing.cut_after && drawing.width <= limit;
  if (whole) return {0, drawing.width};
  const std::size_t lead = limit / 3;
  const std::size_t wanted = drawing.mark.begin > lead ? drawing.mark.begin - lead : 0;
  const std::size_t latest = drawing.width > limit ? drawing.width - limit : 0;
  const std::size_t begin = std::min(wanted, latest);
  return {begin, std::min(drawing.width, begin + limit)};
}

/// Fills text, indent and width from the glyphs inside the window.
void compose(const Drawing& drawing, std::size_t limit, Snippet& snippet) {
  const Range window = choose_window(drawing, limit);
  const bool cut_before = drawing.cut_before || window.begin > 0;
  const bool cut_after = drawing.cut_after || window.end < drawing.width;
  const std::size_t first = window.begin + (cut_before ? 1 : 0);
  const std::size_t last = window.end - (cut_after && window.end > first ? 1 : 0);
  Range kept{first, first};
  if (cut_before) snippet.text = ellipsis;
  bool any = false;
  for (const Glyph& glyph : drawing.glyphs) {
    if (glyph.cells.begin < first || glyph.cells.end > last) continue;
    if (!std::exchange(any, true)) kept.begin = glyph.cells.begin;
    kept.end = glyph.cells.end;
    snippet.text += glyph.text;
  }
  if (cut_after) snippet.text += ellipsis;
  const std::size_t begin = std::clamp(drawing.mark.begin, kept.begin, kept.end);
  const std::size_t end = std::clamp(drawing.mark.end, begin, kept.end);
  snippet.indent = begin - kept.begin + (cut_before ? 1 : 0);
  snippet.width = std::max<std::size_t>(end - begin, 1);
}

/// As git decides it.
[[nodiscard]] bool is_binary(const SourceFile& file) {
  constexpr std::size_t bytes_looked_at = 8000;
  return file.text().substr(0, bytes_looked_at).find('\0') != std::string_view::npos;
}

}  // namespace

Span without_trailing_blanks(const SourceFile& file, Span span) {
  const std::size_t last = file.text(span).find_last_not_of(blanks);
  const std::uint32_t size = last == std::string_view::npos
                                 ? std::min(span.size(), std::uint32_t{1})
                                 : static_cast<std::uint32_t>(last) + 1;
  return {span.file, span.begin, span.begin + size};
}

Snippet make_snippet(const SourceFile& file, Span span, std::size_t limit) {
  const Span marked = without_trailing_blanks(file, span);
  Snippet snippet;
  snippet.line = file.position(marked.begin).line;
  snippet.last_line = marked.empty() ? snippet.line : file.position(marked.end - 1).line;
  if (is_binary(file)) return snippet;
  const std::string_view line = file.line_text(snippet.line);
  compose(draw(line, mark_in_line(file, snippet.line, marked), limit), limit, snippet);
  snippet.text.erase(snippet.text.find_last_not_of(' ') + 1);
  return snippet;
}

}  // namespace gpulint
