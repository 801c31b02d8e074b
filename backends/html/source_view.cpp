#include "backends/html/source_view.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "backends/markup.h"
#include "backends/snippet.h"
#include "backends/unified_diff.h"
#include "compiler/base/text.h"

namespace gpulint {
namespace {

/// A stretch of a line of YAML or JSON that a page draws in one colour, with the element that marks
/// it: `b` keys, `u` quoted texts, numbers and the like, `i` comments.
struct ColoredPart {
  std::size_t begin = 0;
  std::size_t end = 0;
  char element = 'b';
};

[[nodiscard]] bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Numbers, booleans and null; also amounts (`16Gi`).
[[nodiscard]] bool is_literal(std::string_view word) {
  constexpr auto words = std::to_array<std::string_view>({"true", "false", "null", "~"});
  if (is_listed(words, word)) return true;
  const bool begins = word[0] >= '0' && word[0] <= '9';
  return begins && std::ranges::all_of(word, [](char c) { return is_alphanumeric(c) || c == '.'; });
}

class LineReader {
 public:
  explicit LineReader(std::string_view line) : line_(line) {}

  [[nodiscard]] std::vector<ColoredPart> read() && {
    while (at_ < line_.size()) step();
    return std::move(parts_);
  }

 private:
  void step() {
    const char c = line_[at_];
    if (c == '#' && (at_ == 0 || is_blank(line_[at_ - 1]))) {
      parts_.push_back({at_, line_.size(), 'i'});
      at_ = line_.size();
    } else if (c == '"' || c == '\'') {
      read_quoted(c);
    } else if (is_blank(c) || is_mark(c) || is_dash()) {
      ++at_;
    } else {
      read_plain();
    }
  }

  [[nodiscard]] static bool is_mark(char c) {
    return std::string_view("{}[],:").find(c) != std::string_view::npos;
  }

  [[nodiscard]] bool is_dash() const {
    return line_[at_] == '-' && (at_ + 1 == line_.size() || is_blank(line_[at_ + 1]));
  }

  /// Whether a colon that ends a key is at `at` or after blanks.
  [[nodiscard]] bool has_colon(std::size_t at) const {
    while (at < line_.size() && is_blank(line_[at])) ++at;
    return at < line_.size() && line_[at] == ':';
  }

  void read_quoted(char quote) {
    std::size_t end = at_ + 1;
    while (end < line_.size() && line_[end] != quote)
      end += quote == '"' && line_[end] == '\\' ? 2 : 1;
    end = std::min(end + 1, line_.size());
    parts_.push_back({at_, end, has_colon(end) ? 'b' : 'u'});
    at_ = end;
  }

  [[nodiscard]] bool ends_plain(std::size_t at) const {
    const char c = line_[at];
    if (c == ':') return at + 1 == line_.size() || is_blank(line_[at + 1]);
    if (c == '#') return is_blank(line_[at - 1]);
    return c != ':' && is_mark(c);
  }

  void read_plain() {
    std::size_t end = at_ + 1;
    while (end < line_.size() && !ends_plain(end)) ++end;
    const bool is_key = end < line_.size() && line_[end] == ':';
    std::size_t last = end;
    while (last > at_ && is_blank(line_[last - 1])) --last;
    if (is_key) {
      parts_.push_back({at_, last, 'b'});
    } else if (is_literal(line_.substr(at_, last - at_))) {
      parts_.push_back({at_, last, 'u'});
    }
    at_ = end;
  }

  std::string_view line_;
  std::size_t at_ = 0;
  std::vector<ColoredPart> parts_;
};

/// The parts of one line, without its surroundings: lines of a block scalar look like those of any
/// mapping. In order, disjoint, of whole code points.
[[nodiscard]] std::vector<ColoredPart> colored_parts(std::string_view line) {
  return LineReader(line).read();
}

/// The bytes [begin, end) of a line as HTML.
[[nodiscard]] std::string colored_range(std::string_view line,
                                        const std::vector<ColoredPart>& parts, std::size_t begin,
                                        std::size_t end) {
  std::string html;
  std::size_t at = begin;
  for (const ColoredPart& part : parts) {
    const std::size_t from = std::clamp(part.begin, at, end);
    const std::size_t to = std::clamp(part.end, from, end);
    if (from == to) continue;
    html += escape_element(line.substr(at, from - at));
    html +=
        fmt::format("<{0}>{1}</{0}>", part.element, escape_element(line.substr(from, to - from)));
    at = to;
  }
  return html + escape_element(line.substr(at, end - at));
}

constexpr std::uint32_t context_lines = 2;

constexpr std::uint32_t most_marked_lines = 12;

constexpr std::size_t longest_part = 300;  // bytes of a line shown on either side of the mark

constexpr std::size_t longest_colored = 4'000;

constexpr std::size_t most_fix_lines = 60;

[[nodiscard]] bool continues_code_point(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

/// A line of a file as the page draws it: with colours if it is YAML or JSON.
class LineView {
 public:
  LineView(std::string_view text, bool is_colored) : text_(text) {
    if (is_colored && text.size() <= longest_colored) parts_ = colored_parts(text);
  }

  /// The bytes [begin, end), or the first of them if they are many.
  [[nodiscard]] std::string head(std::size_t begin, std::size_t end) const {
    if (end - begin <= longest_part) return colored_range(text_, parts_, begin, end);
    std::size_t cut = begin + longest_part;
    for (int i = 0; i < 3 && continues_code_point(text_, cut); ++i) --cut;
    return colored_range(text_, parts_, begin, cut) + "…";
  }

  /// The same, or the last of them if they are many.
  [[nodiscard]] std::string tail(std::size_t begin, std::size_t end) const {
    if (end - begin <= longest_part) return colored_range(text_, parts_, begin, end);
    std::size_t cut = end - longest_part;
    for (int i = 0; i < 3 && continues_code_point(text_, cut); ++i) ++cut;
    return "…" + colored_range(text_, parts_, cut, end);
  }

 private:
  std::string_view text_;
  std::vector<ColoredPart> parts_;
};

/// Sources of tasks are Python.
[[nodiscard]] bool is_colored(const SourceFile& file) { return !file.path().ends_with(".py"); }

/// One line, numbered; the part that belongs to the span is marked.
[[nodiscard]] std::string line_html(const SourceFile& file, std::uint32_t line, Span span) {
  const std::string_view text = file.line_text(line);
  const LineView view(text, is_colored(file));
  const std::string number = fmt::format("<var>{}</var>", line);
  const auto start = static_cast<std::uint32_t>(text.data() - file.text().data());
  const std::uint32_t end = start + static_cast<std::uint32_t>(text.size());
  const bool touches = span.begin <= end && span.end >= start &&
                       (span.empty() || (span.begin < end && span.end > start));
  if (!touches) return number + view.head(0, text.size()) + "\n";
  const std::size_t from = std::max(span.begin, start) - start;
  const std::size_t to = std::min(span.end, end) - start;
  return fmt::format("{}{}<mark>{}</mark>{}\n", number, view.tail(0, from), view.head(from, to),
                     view.head(to, text.size()));
}

/// The lines around the edits of one file, before and after.
struct Change {
  std::uint32_t first_line = 1;
  std::string_view before;
  std::string after;
};

[[nodiscard]] Change apply_locally(const SourceFile& file, std::span<const Edit> edits) {
  constexpr std::uint32_t context = 3;  // as unified diffs have it
  const std::uint32_t first = file.position(edits.front().span.begin).line;
  const std::uint32_t line = first > context ? first - context : 1;
  const std::uint32_t begin = file.line_start(line);
  const std::uint32_t last = file.position(edits.back().span.end).line + context;
  const std::uint32_t end = last < file.line_count()
                                ? file.line_start(last + 1)
                                : static_cast<std::uint32_t>(file.text().size());
  Change change{line, file.text({file.id(), begin, end}), ""};
  std::uint32_t at = begin;
  for (const Edit& edit : edits) {
    change.after += file.text({file.id(), at, std::max(at, edit.span.begin)});
    change.after += edit.text;
    at = std::max(at, edit.span.end);
  }
  change.after += file.text({file.id(), at, end});
  return change;
}

/// `@@ -1,7 +1,8 @@` with both lines moved on.
[[nodiscard]] std::string moved_hunk(std::string_view header, std::uint32_t lines) {
  std::string result;
  for (std::size_t at = 0; at < header.size();) {
    const char c = header[at];
    result.push_back(c);
    ++at;
    if (c != '-' && c != '+') continue;
    std::uint32_t number = 0;
    for (; at < header.size() && header[at] >= '0' && header[at] <= '9'; ++at) {
      number = number * 10 + static_cast<std::uint32_t>(header[at] - '0');
    }
    result += fmt::format("{}", number + lines);
  }
  return result;
}

}  // namespace

std::string colored_html(std::string_view text) {
  std::string html;
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, size);
    html += colored_range(line, colored_parts(line), 0, size);
    if (size < text.size()) html += '\n';
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  return html;
}

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
  return html + "</pre>";
}

std::string diff_html(std::string_view diff) {
  std::string html;
  std::size_t lines = 0;
  bool is_cut = false;
  for (std::string_view rest = diff; !rest.empty();) {
    const std::string_view line = take_part(rest, '\n');
    is_cut = is_cut || line.size() > longest_part || ++lines > most_fix_lines;
    if (lines > most_fix_lines) break;
    const LineView view(line, false);
    const std::string text = view.head(0, line.size());
    const bool is_header = line.starts_with("--- ") || line.starts_with("+++ ");
    const std::string_view element = is_header                ? "var"
                                     : line.starts_with("@@") ? "var"
                                     : line.starts_with('-')  ? "del"
                                     : line.starts_with('+')  ? "ins"
                                                              : "";
    html += element.empty() ? text + "\n" : fmt::format("<{0}>{1}</{0}>\n", element, text);
  }
  return fmt::format("<div class=\"patch{}\"><pre>{}{}</pre></div>", is_cut ? " cut" : "", html,
                     lines > most_fix_lines ? "…\n" : "");
}

std::string fix_diff(const Run& run, const Fix& fix) {
  std::string diff;
  const std::span<const Edit> edits = fix.edits;
  for (std::size_t at = 0; at < edits.size();) {
    std::size_t end = at + 1;
    while (end < edits.size() && edits[end].span.file == edits[at].span.file) ++end;
    const SourceFile& file = run.sources.file(edits[at].span);
    const Change change = apply_locally(file, edits.subspan(at, end - at));
    const std::string part = unified_diff(file.path(), change.before, change.after);
    for (std::string_view rest = part; !rest.empty();) {
      const std::string_view line = take_part(rest, '\n');
      diff += line.starts_with("@@ ") ? moved_hunk(line, change.first_line - 1) : std::string(line);
      diff += '\n';
    }
    at = end;
  }
  return diff;
}

std::string prose_html(std::string_view text) {
  std::string html;
  while (!text.empty()) {
    const std::size_t open = std::min(text.find('`'), text.size());
    html += escape_element(text.substr(0, open));
    text.remove_prefix(open);
    if (text.empty()) break;
    const std::size_t close = text.find('`', 1);
    const bool is_code = close != std::string_view::npos;
    html += is_code ? fmt::format("<code>{}</code>", escape_element(text.substr(1, close - 1)))
                    : escape_element(text);
    text.remove_prefix(is_code ? close + 1 : text.size());
  }
  return html;
}

}  // namespace gpulint
