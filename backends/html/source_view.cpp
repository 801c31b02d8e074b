#include "backends/html/source_view.h"

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "backends/html/yaml_colors.h"
#include "backends/markup.h"
#include "backends/snippet.h"
#include "backends/unified_diff.h"
#include "compiler/base/text.h"

namespace gpulint {
namespace {

constexpr std::uint32_t context_lines = 2;
constexpr std::uint32_t most_marked_lines = 12;
constexpr std::size_t longest_part = 300;  // bytes of a line shown on either side of the mark
constexpr std::size_t longest_colored = 4'000;
constexpr std::size_t most_fix_lines = 60;

[[nodiscard]] bool continues_code_point(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

/// A line of a file as the page draws it: in colours where it is YAML or JSON.
class LineView {
 public:
  LineView(std::string_view text, bool is_colored) : text_(text) {
    if (is_colored && text.size() <= longest_colored) parts_ = colored_parts(text);
  }

  /// The bytes [begin, end), of very many the first.
  [[nodiscard]] std::string head(std::size_t begin, std::size_t end) const {
    if (end - begin <= longest_part) return colored_html(text_, parts_, begin, end);
    std::size_t cut = begin + longest_part;
    for (int i = 0; i < 3 && continues_code_point(text_, cut); ++i) --cut;
    return colored_html(text_, parts_, begin, cut) + "…";
  }

  /// The same, of very many the last.
  [[nodiscard]] std::string tail(std::size_t begin, std::size_t end) const {
    if (end - begin <= longest_part) return colored_html(text_, parts_, begin, end);
    std::size_t cut = end - longest_part;
    for (int i = 0; i < 3 && continues_code_point(text_, cut); ++i) ++cut;
    return "…" + colored_html(text_, parts_, cut, end);
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
  return fmt::format("<div class=\"patch{}\"><pre>{}{}</pre></div>\n", is_cut ? " cut" : "", html,
                     lines > most_fix_lines ? "…\n" : "");
}

std::string fix_html(const Run& run, const Fix& fix) {
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
  return diff_html(diff);
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
