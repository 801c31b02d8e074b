#include "backends/html/yaml_colors.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "backends/markup.h"
#include "compiler/base/text.h"

namespace gpulint {
namespace {

[[nodiscard]] bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Numbers, truth and nothing; amounts (`16Gi`) too.
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

  /// Whether a colon that makes a key stands at `at` or behind blanks.
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

}  // namespace

std::vector<ColoredPart> colored_parts(std::string_view line) { return LineReader(line).read(); }

std::string colored_html(std::string_view line, const std::vector<ColoredPart>& parts,
                         std::size_t begin, std::size_t end) {
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

std::string colored_html(std::string_view text) {
  std::string html;
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, size);
    html += colored_html(line, colored_parts(line), 0, size);
    if (size < text.size()) html += '\n';
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  return html;
}

}  // namespace gpulint
