#include "compiler/server/cursor.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "compiler/base/text.h"

namespace gpulint::server {
namespace {

/// One line of block style: `  - key: value`.
struct Line {
  std::size_t dash = std::string_view::npos;   ///< Column of the last `-`; npos: none.
  std::size_t column = 0;                      ///< Of the key or item.
  std::size_t value = std::string_view::npos;  ///< Column of the value; npos: no key.
  std::string key;
  std::string text;  ///< The value, or the item; without quotes.

  [[nodiscard]] bool has_dash() const { return dash != std::string_view::npos; }
  [[nodiscard]] bool has_key() const { return value != std::string_view::npos; }
  [[nodiscard]] bool is_blank() const { return key.empty() && text.empty() && !has_dash(); }
};

[[nodiscard]] std::string unquoted(std::string_view text) {
  text = trim(text);
  const bool is_quoted = text.size() > 1 && (text.front() == '"' || text.front() == '\'') &&
                         text.back() == text.front();
  return std::string(is_quoted ? text.substr(1, text.size() - 2) : text);
}

[[nodiscard]] Line read_line(std::string_view text) {
  Line line;
  const auto skip_blanks = [&] {
    while (line.column < text.size() && text[line.column] == ' ') ++line.column;
  };
  skip_blanks();
  while (line.column < text.size() && text[line.column] == '-' &&
         (line.column + 1 == text.size() || text[line.column + 1] == ' ')) {
    line.dash = line.column++;
    skip_blanks();
  }
  const std::string_view rest = text.substr(line.column);
  if (rest.starts_with('#')) return line;
  std::size_t colon = rest.find(": ");
  if (colon == std::string_view::npos && trim(rest).ends_with(':')) colon = rest.rfind(':');
  if (colon == std::string_view::npos) {
    line.text = unquoted(rest);
    return line;
  }
  line.key = unquoted(rest.substr(0, colon));
  std::size_t value = line.column + colon + 1;
  while (value < text.size() && text[value] == ' ') ++value;
  line.value = value;
  line.text = unquoted(text.substr(value));
  return line;
}

/// Walks from the cursor's line to the lines around it.
class Walk {
 public:
  Walk(Cursor& cursor, const Line& at)
      : cursor_(cursor), own_(at.column), column_(at.column), list_(at.dash) {}

  /// False: the line is outside of the document.
  [[nodiscard]] bool up(std::string_view text) {
    if (text.starts_with("---") || text.starts_with("...")) return false;
    const Line line = read_line(text);
    if (line.is_blank()) return true;
    const std::size_t begin = line.has_dash() ? line.dash : line.column;
    if (list_ != std::string_view::npos) {
      if (begin > list_ || (line.has_dash() && line.dash == list_)) return true;
      if (line.has_key()) enter(line);
      return true;
    }
    if (line.column == column_) {
      note(line);
      if (line.has_dash()) list_ = line.dash;
    } else if (line.column < column_ && line.has_key()) {
      enter(line);
    }
    return true;
  }

  /// False: the mapping of the cursor has ended.
  [[nodiscard]] bool down(std::string_view text) {
    const Line line = read_line(text);
    if (line.is_blank() || line.column > own_) return true;
    if (text.starts_with("---") || line.column < own_ || line.has_dash()) return false;
    cursor_.neighbours.emplace(line.key, line.text);
    return true;
  }

 private:
  void enter(const Line& line) {
    cursor_.parents.insert(cursor_.parents.begin(), line.key);
    column_ = line.column;
    list_ = line.dash;
  }

  void note(const Line& line) {
    if (line.has_key() && cursor_.parents.size() < 2) {
      cursor_.neighbours.emplace(line.key, line.text);
    }
  }

  Cursor& cursor_;
  std::size_t own_;
  std::size_t column_;  // of the keys of the mapping that is walked
  std::size_t list_;    // column of the dash of the item that is walked; npos: not known yet
};

[[nodiscard]] std::string_view line_at(std::string_view text, std::size_t begin) {
  std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

Cursor find_cursor(std::string_view text, std::uint32_t offset) {
  Cursor cursor;
  const std::size_t at = std::min<std::size_t>(offset, text.size());
  const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
  const std::string_view typed = text.substr(begin, at - begin);
  const Line line = read_line(typed);
  cursor.key = line.key;
  // in a list in flow style: after the last comma
  const std::size_t start = line.has_key() ? line.value : line.column;
  const std::size_t mark = typed.find_last_of("[,{");
  std::size_t word = mark == std::string_view::npos || mark < start ? start : mark + 1;
  while (word < typed.size() &&
         std::string_view(" \"'").find(typed[word]) != std::string_view::npos)
    ++word;
  cursor.word = static_cast<std::uint32_t>(begin + std::min(word, typed.size()));
  cursor.is_comment = typed.find('#') != std::string_view::npos;
  Walk walk(cursor, line);
  for (std::size_t end = begin; end > 0;) {
    const std::size_t above = end == 1 ? 0 : text.rfind('\n', end - 2) + 1;
    if (!walk.up(line_at(text, above))) break;
    end = above;
  }
  Walk below(cursor, line);
  for (std::size_t next = text.find('\n', at); next != std::string_view::npos;
       next = text.find('\n', next + 1)) {
    if (!below.down(line_at(text, next + 1))) break;
  }
  return cursor;
}

}  // namespace gpulint::server
