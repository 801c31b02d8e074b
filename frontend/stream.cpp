#include "frontend/stream.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "frontend/json_reader.h"

namespace gpulint {
namespace {

/// Whether all of `text` is one JSON object and at most one line break.
[[nodiscard]] bool is_json_line(std::string_view text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == std::string_view::npos || text[end] != '}') return false;
  if (std::ranges::count(text.substr(end), '\n') > 1) return false;
  Document scratch;
  const DocumentText whole{.end = static_cast<std::uint32_t>(text.size())};
  return text[text.find_first_not_of(" \t\r\n")] == '{' && read_json(text, whole, scratch) &&
         scratch.errors.empty();
}

/// `---` or `...` at `at`, followed by a blank or nothing. After `---` Kubernetes' parser also
/// accepts a comment without a blank, except in the first line that it reads as YAML: that of the
/// stream, or the one below a JSON object.
[[nodiscard]] bool is_marker(std::string_view text, std::size_t at, std::string_view marker) {
  if (text.compare(at, marker.size(), marker) != 0) return false;
  if (at + marker.size() == text.size()) return true;
  const char next = text[at + marker.size()];
  return next == ' ' || next == '\t' || next == '\r' || next == '\n' ||
         (next == '#' && marker == "---" && at > 0 && !is_json_line(text.substr(0, at)));
}

/// Finds lines that start with a marker. Dashes and dots at a line's start are rare, so each is
/// searched with the line break; a result stays valid until the search passes it.
class MarkerSearch {
 public:
  explicit MarkerSearch(std::string_view text) : text_(text) {}

  /// The next such line from `from` on, which must be the start of a line and must not decrease;
  /// the end of the text if there is none.
  [[nodiscard]] std::size_t find(std::size_t from) {
    for (std::size_t at = from; at < text_.size();) {
      if (is_marker(text_, at, "---") || is_marker(text_, at, "...")) return at;
      const std::size_t next =
          std::min(find_line("\n---", dashes_, at), find_line("\n...", dots_, at));
      if (next == std::string_view::npos) break;
      at = next + 1;
    }
    return text_.size();
  }

 private:
  [[nodiscard]] std::size_t find_line(std::string_view start, std::optional<std::size_t>& known,
                                      std::size_t from) const {
    if (!known || *known < from) known = text_.find(start, from);
    return *known;
  }

  std::string_view text_;
  std::optional<std::size_t> dashes_;
  std::optional<std::size_t> dots_;
};

[[nodiscard]] std::size_t next_line(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  return end == std::string_view::npos ? text.size() : end + 1;
}

enum class Filling : std::uint8_t { blank, comments, content };

/// The content of lines outside documents. Directives count as comments: they belong to the next
/// document.
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

[[nodiscard]] bool is_white(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

[[nodiscard]] std::size_t skip_white(std::string_view text, std::size_t at) {
  while (at < text.size() && is_white(text[at])) ++at;
  return at;
}

/// `{` and `"` or `}`: not `{{` of a template, nor `{key: …}`.
[[nodiscard]] bool starts_object(std::string_view text, std::size_t at) {
  if (at >= text.size() || text[at] != '{') return false;
  const std::size_t next = skip_white(text, at + 1);
  return next < text.size() && (text[next] == '"' || text[next] == '}');
}

/// Whether an object follows a brace somewhere, even in a string: only then are braces counted.
[[nodiscard]] bool may_hold_several_objects(std::string_view text) {
  if (!starts_object(text, skip_white(text, 0))) return false;
  for (std::size_t at = 0; (at = text.find('}', at)) != std::string_view::npos; ++at) {
    if (starts_object(text, skip_white(text, at + 1))) return true;
  }
  return false;
}

/// The position after the object that begins at or after `at`; the end of the text if it has none.
[[nodiscard]] std::size_t object_end(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  for (; (at = text.find_first_of("\"{}", at)) != std::string_view::npos; ++at) {
    if (text[at] == '{') {
      ++depth;
    } else if (text[at] == '}') {
      if (--depth == 0) return at + 1;
    } else {
      at = text.find_first_of("\"\\", at + 1);
      while (at < text.size() && text[at] == '\\') at = text.find_first_of("\"\\", at + 2);
      if (at >= text.size()) break;
    }
  }
  return text.size();
}

class Splitter {
 public:
  explicit Splitter(std::string_view text)
      : text_(text),
        search_(text),
        begin_(text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0) {
    content_ = begin_;
  }

  [[nodiscard]] std::vector<DocumentText> split() {
    for (std::size_t line = begin_;;) {
      const std::size_t marker = search_.find(line);
      const bool at_end = marker == text_.size();
      const Filling held = has_marker_ || is_stray_end_ || is_on_end_line_
                               ? Filling::content
                               : filling(text_.substr(begin_, marker - begin_));
      if (held == Filling::content) add_objects(marker);
      if (held == Filling::content || (at_end && held == Filling::comments)) add(marker);
      if (at_end) return std::move(documents_);
      line = next_line(text_, marker);
      begin_next(marker, line);
    }
  }

 private:
  /// Adds the JSON objects at the start of the stream that others follow, up to `end`; not the
  /// last.
  void add_objects(std::size_t end) {
    if (begin_ != 0 || has_marker_ || is_stray_end_) return;
    const std::string_view text = text_.substr(0, end);
    if (!may_hold_several_objects(text)) return;
    while (true) {
      const std::size_t behind = object_end(text, begin_);
      if (!starts_object(text, skip_white(text, behind))) return;
      is_in_json_stream_ = true;
      add(behind);
      content_ = behind;
    }
  }

  void add(std::size_t end) {
    documents_.push_back({.index = static_cast<std::uint32_t>(documents_.size()),
                          .begin = static_cast<std::uint32_t>(begin_),
                          .content = static_cast<std::uint32_t>(content_),
                          .end = static_cast<std::uint32_t>(end),
                          .has_marker = has_marker_,
                          .is_stray_end = is_stray_end_,
                          .is_in_json_stream = is_in_json_stream_ && !has_marker_,
                          .follows_json_stream = is_in_json_stream_ && has_marker_,
                          .is_on_end_line = is_on_end_line_});
    begin_ = end;
  }

  void begin_next(std::size_t marker, std::size_t line) {
    is_stray_end_ = documents_.empty() && !has_marker_ && text_[marker] == '.';
    has_marker_ = text_[marker] == '-';
    const std::string_view behind = text_.substr(marker + 3, line - marker - 3);
    is_on_end_line_ = !has_marker_ && !is_stray_end_ && filling(behind) == Filling::content;
    content_ = has_marker_ || is_stray_end_ || is_on_end_line_ ? marker + 3 : line;
    if (!has_marker_ || text_.compare(marker + 3, 1, "#") == 0) begin_ = content_;
  }

  std::string_view text_;
  MarkerSearch search_;
  std::size_t begin_;
  std::size_t content_ = 0;
  bool has_marker_ = false;
  bool is_stray_end_ = false;
  bool is_on_end_line_ = false;
  bool is_in_json_stream_ = false;
  std::vector<DocumentText> documents_;
};

}  // namespace

std::uint32_t first_line(std::string_view text, const DocumentText& document) {
  if (!document.has_marker) return document.begin;
  const std::size_t line = next_line(text, document.content);
  return static_cast<std::uint32_t>(std::min<std::size_t>(line, document.end));
}

std::vector<DocumentText> split_stream(std::string_view text) { return Splitter(text).split(); }

}  // namespace gpulint
