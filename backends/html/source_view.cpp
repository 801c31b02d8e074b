#include "backends/html/source_view.h"

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "backends/markup.h"
#include "backends/snippet.h"

namespace gpulint {
namespace {

constexpr std::uint32_t context_lines = 2;
constexpr std::uint32_t most_marked_lines = 12;
constexpr std::size_t longest_part = 300;  // bytes of a line shown on either side of the mark
constexpr std::size_t most_fix_lines = 40;

[[nodiscard]] bool continues_code_point(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

/// Start or end of a text, at most `longest_part` bytes of whole code points.
[[nodiscard]] std::string head_html(std::string_view text) {
  if (text.size() <= longest_part) return escape_markup(text);
  std::size_t size = longest_part;
  for (int i = 0; i < 3 && continues_code_point(text, size); ++i) --size;
  return escape_markup(text.substr(0, size)) + "…";
}

[[nodiscard]] std::string tail_html(std::string_view text) {
  if (text.size() <= longest_part) return escape_markup(text);
  std::size_t at = text.size() - longest_part;
  for (int i = 0; i < 3 && continues_code_point(text, at); ++i) ++at;
  return "…" + escape_markup(text.substr(at));
}

/// One line, numbered; the part that belongs to the span is marked.
[[nodiscard]] std::string line_html(const SourceFile& file, std::uint32_t line, Span span) {
  const std::string_view text = file.line_text(line);
  const std::string number = fmt::format("<span class=\"number\">{}</span>", line);
  const auto start = static_cast<std::uint32_t>(text.data() - file.text().data());
  const std::uint32_t end = start + static_cast<std::uint32_t>(text.size());
  const bool touches = span.begin <= end && span.end >= start &&
                       (span.empty() || (span.begin < end && span.end > start));
  if (!touches) return number + head_html(text) + "\n";
  const std::size_t from = std::max(span.begin, start) - start;
  const std::size_t to = std::min(span.end, end) - start;
  return fmt::format("{}{}<mark>{}</mark>{}\n", number, tail_html(text.substr(0, from)),
                     head_html(text.substr(from, to - from)), head_html(text.substr(to)));
}

/// The lines that edits of one file touch, before and after.
struct Change {
  std::string_view before;
  std::string after;
};

[[nodiscard]] Change apply_locally(const SourceFile& file, std::span<const Edit> edits) {
  const std::uint32_t begin = file.line_start(file.position(edits.front().span.begin).line);
  const std::uint32_t last_line = file.position(edits.back().span.end).line;
  const std::uint32_t end = last_line < file.line_count()
                                ? file.line_start(last_line + 1)
                                : static_cast<std::uint32_t>(file.text().size());
  Change change{file.text({file.id(), begin, end}), ""};
  std::uint32_t at = begin;
  for (const Edit& edit : edits) {
    change.after += file.text({file.id(), at, std::max(at, edit.span.begin)});
    change.after += edit.text;
    at = std::max(at, edit.span.end);
  }
  change.after += file.text({file.id(), at, end});
  return change;
}

[[nodiscard]] std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, size));
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  return lines;
}

[[nodiscard]] std::string marked_lines(std::span<const std::string_view> lines, char mark,
                                       std::string_view css_class) {
  std::string html;
  for (std::size_t i = 0; i < std::min(lines.size(), most_fix_lines); ++i) {
    html += fmt::format("<span class=\"{}\">{} {}</span>\n", css_class, mark, head_html(lines[i]));
  }
  if (lines.size() > most_fix_lines) html += "  …\n";
  return html;
}

/// `-` and `+` lines without the lines that both begin or end with.
[[nodiscard]] std::string change_html(const Change& change) {
  const std::vector<std::string_view> before = split_lines(change.before);
  const std::vector<std::string_view> after = split_lines(change.after);
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t head = 0;
  while (head < shorter && before[head] == after[head]) ++head;
  std::size_t tail = 0;
  while (tail < shorter - head &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) {
    ++tail;
  }
  const auto middle = [&](const std::vector<std::string_view>& lines) {
    return std::span(lines).subspan(head, lines.size() - head - tail);
  };
  return marked_lines(middle(before), '-', "old") + marked_lines(middle(after), '+', "new");
}

}  // namespace

std::string source_html(const SourceFile& file, Span span) {
  const Span marked = without_trailing_blanks(file, span);
  const std::uint32_t first = file.position(marked.begin).line;
  const std::uint32_t last = marked.empty() ? first : file.position(marked.end - 1).line;
  const std::uint32_t shown = std::min(last, first + most_marked_lines - 1);
  const std::uint32_t begin = first > context_lines ? first - context_lines : 1;
  const std::uint32_t last_text =
      file.line_count() - (file.text().ends_with('\n') ? 1 : 0);  // no line after the last break
  const std::uint32_t end = std::max(shown, std::min(shown + context_lines, last_text));
  std::string html = "<pre class=\"source\">";
  for (std::uint32_t line = begin; line <= end; ++line) html += line_html(file, line, marked);
  return html + "</pre>\n";
}

std::string fix_html(const Run& run, const Fix& fix) {
  std::string html = "<pre class=\"fix\">";
  const std::span<const Edit> edits = fix.edits;
  for (std::size_t at = 0; at < edits.size();) {
    std::size_t end = at + 1;
    while (end < edits.size() && edits[end].span.file == edits[at].span.file) ++end;
    const SourceFile& file = run.sources.file(edits[at].span);
    html += change_html(apply_locally(file, edits.subspan(at, end - at)));
    at = end;
  }
  return html + "</pre>\n";
}

std::string prose_html(std::string_view text) {
  std::string html;
  while (!text.empty()) {
    const std::size_t open = std::min(text.find('`'), text.size());
    html += escape_markup(text.substr(0, open));
    text.remove_prefix(open);
    if (text.empty()) break;
    const std::size_t close = text.find('`', 1);
    const bool is_code = close != std::string_view::npos;
    html += is_code ? fmt::format("<code>{}</code>", escape_markup(text.substr(1, close - 1)))
                    : escape_markup(text);
    text.remove_prefix(is_code ? close + 1 : text.size());
  }
  return html;
}

}  // namespace gpulint
