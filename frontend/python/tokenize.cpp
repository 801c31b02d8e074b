#include <algorithm>
#include <array>
#include <cstddef>

#include "compiler/base/text.h"
#include "frontend/python/token.h"

namespace gpulint::python {
namespace {

/// Limit of nested indents; CPython's is also one hundred.
constexpr std::size_t max_indents = 100;
/// Limit of nested f-strings.
constexpr std::size_t max_nested_strings = 8;
constexpr std::size_t tab_size = 8;
/// How often, on average, each byte is read to find the brace that ends a field.
constexpr std::size_t max_looks_ahead = 2 * max_nested_strings;

[[nodiscard]] bool is_name_start(char c) {
  return c == '_' || (is_alphanumeric(c) && !is_digit(c)) || static_cast<unsigned char>(c) >= 0x80;
}
[[nodiscard]] bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }
[[nodiscard]] bool is_line_end(char c) { return c == '\n' || c == '\r'; }

class Tokenizer {
 public:
  Tokenizer(const SourceFile& file, Span part, int brackets)
      : file_(file.id()),
        text_(file.text().substr(0, part.end)),
        at_(part.begin),
        brackets_(brackets) {}

  [[nodiscard]] Tokens run() && {
    if (text_.substr(at_).starts_with("\xEF\xBB\xBF")) at_ += 3;
    bool is_line_start = brackets_ == 0;
    while (true) {
      if (is_line_start) start_line();
      is_line_start = false;
      skip_blanks();
      if (at_ >= text_.size()) break;
      if (is_line_end(text_[at_])) {
        is_line_start = end_line();
      } else if (text_[at_] == '#') {
        add_comment();
      } else {
        add_token();
      }
    }
    finish();
    return std::move(result_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void add(Token::Kind kind, std::size_t begin, std::size_t end) {
    const auto [b, e] =
        std::pair(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end));
    result_.tokens.push_back({kind, {file_, b, e}, text_.substr(begin, end - begin)});
  }

  /// Blanks within a line, and line breaks after a backslash.
  void skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\f') {
        ++at_;
      } else if (c == '\\' && is_line_end(peek(1))) {
        at_ += peek(1) == '\r' && peek(2) == '\n' ? 3 : 2;
      } else {
        return;
      }
    }
  }

  /// Compares the indentation of a line with content with the lines around it.
  void start_line() {
    std::size_t column = 0;
    std::size_t at = at_;
    for (; at < text_.size(); ++at) {
      if (text_[at] == ' ') {
        ++column;
      } else if (text_[at] == '\t') {
        column = (column / tab_size + 1) * tab_size;
      } else if (text_[at] == '\f') {
        column = 0;
      } else {
        break;
      }
    }
    if (at >= text_.size() || is_line_end(text_[at]) || text_[at] == '#') return;
    at_ = at;
    if (column > indents_.back() && indents_.size() < max_indents) {
      indents_.push_back(column);
      add(Token::Kind::indent, at_, at_);
    }
    while (column < indents_.back()) {
      indents_.pop_back();
      add(Token::Kind::dedent, at_, at_);
    }
  }

  /// Whether a logical line ends here and another begins.
  [[nodiscard]] bool end_line() {
    const std::size_t begin = at_;
    at_ += text_[at_] == '\r' && peek(1) == '\n' ? 2 : 1;
    if (brackets_ > 0 && !begins_declaration()) return false;
    brackets_ = 0;
    const bool is_blank = result_.tokens.empty() || result_.tokens.back().is(Token::Kind::newline);
    if (!is_blank) add(Token::Kind::newline, begin, at_);
    return true;
  }

  /// Whether a line begins that cannot be inside brackets.
  [[nodiscard]] bool begins_declaration() const {
    static constexpr std::array<std::string_view, 5> words = {"def ", "class ", "import ", "from ",
                                                              "async def "};
    if (is_part_) return false;
    const std::string_view rest = text_.substr(at_);
    return std::ranges::any_of(words, [&](auto word) { return rest.starts_with(word); });
  }

  void add_comment() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_line_end(text_[at_])) ++at_;
    result_.comments.push_back(
        {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)});
  }

  void add_token() {
    const std::size_t begin = at_;
    const char c = text_[at_];
    if (const std::size_t prefix = string_prefix(at_); prefix != none) {
      at_ = string_end(at_, prefix, 0);
      return add(Token::Kind::string, begin, at_);
    }
    if (is_name_start(c)) {
      while (at_ < text_.size() && is_name_part(text_[at_])) ++at_;
      return add(Token::Kind::name, begin, at_);
    }
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      skip_number();
      return add(Token::Kind::number, begin, at_);
    }
    at_ += sign_size();
    add(Token::Kind::sign, begin, at_);
    const std::string_view sign = result_.tokens.back().text;
    if (sign == "(" || sign == "[" || sign == "{") ++brackets_;
    if ((sign == ")" || sign == "]" || sign == "}") && brackets_ > (is_part_ ? 1 : 0)) --brackets_;
  }

  void skip_number() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool is_exponent = (c == 'e' || c == 'E') && (peek(1) == '-' || peek(1) == '+');
      if (is_exponent && is_digit(peek(2))) {
        at_ += 2;
      } else if (!is_name_part(c) && c != '.') {
        return;
      } else {
        ++at_;
      }
    }
  }

  [[nodiscard]] std::size_t sign_size() const {
    static constexpr std::array<std::string_view, 4> three = {"**=", "//=", "<<=", ">>="};
    static constexpr std::array<std::string_view, 20> two = {
        "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "->", "+=",
        "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=", ":=", "<>"};
    const std::string_view rest = text_.substr(at_);
    const auto begins = [&](std::string_view sign) { return rest.starts_with(sign); };
    if (rest.starts_with("...") || std::ranges::any_of(three, begins)) return 3;
    return std::ranges::any_of(two, begins) ? 2 : 1;
  }

  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// How many letters precede the quotes of a string that begins here; `none`: no string.
  [[nodiscard]] std::size_t string_prefix(std::size_t at) const {
    for (std::size_t size = 0; size <= 2 && at + size < text_.size(); ++size) {
      const char c = text_[at + size];
      if (c == '"' || c == '\'') return size;
      if (std::string_view("rRbBuUfFtT").find(c) == std::string_view::npos) return none;
    }
    return none;
  }

  [[nodiscard]] std::size_t string_end(std::size_t begin, std::size_t prefix,
                                       std::size_t depth) const {
    const std::string_view letters = text_.substr(begin, prefix);
    const bool has_fields = letters.find_first_of("fFtT") != std::string_view::npos;
    const char quote = text_[begin + prefix];
    std::size_t at = begin + prefix + 1;
    const bool is_long = text_.substr(at).starts_with(std::string(2, quote));
    if (is_long) at += 2;
    const std::string close(is_long ? 3 : 1, quote);
    while (at < text_.size()) {
      if (text_.substr(at).starts_with(close)) return at + close.size();
      if (!is_long && is_line_end(text_[at])) return at;
      if (text_[at] == '\\' && at + 1 < text_.size()) {
        at += text_.substr(at).starts_with("\\\r\n") ? 3 : 2;
      } else if (has_fields && text_[at] == '{' && depth < max_nested_strings) {
        at = text_.substr(at).starts_with("{{") ? at + 2 : field_end(at + 1, close, is_long, depth);
      } else {
        ++at;
      }
    }
    return text_.size();
  }

  /// The end of an f-string's field: strings in it may use the same quotes (3.12).
  [[nodiscard]] std::size_t field_end(std::size_t at, std::string_view close, bool is_long,
                                      std::size_t depth) const {
    const std::size_t begin = at;
    for (int braces = 1; at < text_.size() && looked_ahead_ < max_looks_ahead * text_.size();) {
      const char c = text_[at];
      ++looked_ahead_;
      if (!is_long && is_line_end(c)) return begin;
      // a string that would be the last of its line ends the string around it
      const std::size_t prefix = is_name_part(text_[at - 1]) ? none : string_prefix(at);
      if (prefix != none) {
        const std::size_t end = string_end(at, prefix, depth + 1);
        const bool is_closed = end < text_.size() && !is_line_end(text_[end]);
        if (!is_closed && text_.substr(at).starts_with(close)) return at;
        at = end;
        continue;
      }
      braces += c == '{' ? 1 : c == '}' ? -1 : 0;
      ++at;
      if (braces == 0) return at;
    }
    return begin;
  }

  void finish() {
    const std::size_t end = text_.size();
    if (!result_.tokens.empty() && !result_.tokens.back().is(Token::Kind::newline)) {
      add(Token::Kind::newline, end, end);
    }
    for (; indents_.size() > 1; indents_.pop_back()) add(Token::Kind::dedent, end, end);
    add(Token::Kind::end, end, end);
  }

  FileId file_;
  std::string_view text_;
  std::size_t at_;
  int brackets_;
  bool is_part_ = brackets_ > 0;
  std::vector<std::size_t> indents_ = {0};
  mutable std::size_t looked_ahead_ = 0;
  Tokens result_;
};

}  // namespace

Tokens tokenize(const SourceFile& file) { return Tokenizer(file, file.whole(), 0).run(); }

Tokens tokenize(const SourceFile& file, Span part) { return Tokenizer(file, part, 1).run(); }

}  // namespace gpulint::python
