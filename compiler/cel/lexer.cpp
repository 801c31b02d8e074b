#include "compiler/cel/lexer.h"

#include <array>
#include <charconv>
#include <optional>

#include "compiler/base/text.h"

namespace gpulint::cel {
namespace {

using TokenKind = Token::Kind;

[[nodiscard]] bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
[[nodiscard]] int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

[[nodiscard]] std::optional<char> simple_escape(char c) {
  static constexpr std::string_view names = "abfnrtv\\?\"'`";
  static constexpr std::string_view meant = "\a\b\f\n\r\t\v\\?\"'`";
  const std::size_t at = names.find(c);
  if (at == std::string_view::npos) return std::nullopt;
  return meant[at];
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  [[nodiscard]] std::vector<Token> run() {
    std::vector<Token> tokens;
    do {
      skip_blanks();
      const std::size_t begin = at_;
      Token token = next();
      token.begin = begin;
      token.end = at_;
      tokens.push_back(std::move(token));
    } while (tokens.back().kind == TokenKind::identifier ||
             tokens.back().kind == TokenKind::literal || tokens.back().kind == TokenKind::symbol);
    return tokens;
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (text_.substr(at_).starts_with("//")) {
        const std::size_t line = text_.find('\n', at_);
        at_ = line == std::string_view::npos ? text_.size() : line + 1;
      } else if (std::string_view(" \t\r\n\f").find(text_[at_]) != std::string_view::npos) {
        ++at_;
      } else {
        return;
      }
    }
  }

  [[nodiscard]] static Token bad(TokenKind kind, std::string why) {
    Token token;
    token.kind = kind;
    token.text = std::move(why);
    return token;
  }
  [[nodiscard]] static Token literal(Value value) {
    Token token;
    token.kind = TokenKind::literal;
    token.literal = std::move(value);
    return token;
  }

  [[nodiscard]] Token next() {
    if (at_ >= text_.size()) return {};
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return number();
    if (const std::size_t prefix = quote_prefix(); prefix != std::string_view::npos) {
      return quoted(prefix);
    }
    if (is_letter(peek())) return word();
    return symbol();
  }

  [[nodiscard]] Token word() {
    const std::size_t begin = at_;
    while (is_letter(peek()) || is_digit(peek())) ++at_;
    const std::string text(text_.substr(begin, at_ - begin));
    if (text == "true" || text == "false") return literal(make_value(text == "true"));
    if (text == "null") return literal({Null{}});
    Token token;
    token.kind = text == "in" ? TokenKind::symbol : TokenKind::identifier;
    token.text = text;
    return token;
  }

  [[nodiscard]] Token symbol() {
    static constexpr std::array<std::string_view, 24> symbols = {
        "==", "!=", "<=", ">=", "&&", "||", "<", ">", "!", "+", "-", "*",
        "/",  "%",  "(",  ")",  "[",  "]",  "{", "}", ".", ",", ":", "?"};
    for (const std::string_view candidate : symbols) {
      if (!text_.substr(at_).starts_with(candidate)) continue;
      at_ += candidate.size();
      Token token;
      token.kind = TokenKind::symbol;
      token.text = candidate;
      return token;
    }
    if (peek() == '`') return bad(TokenKind::unread, "a name in backticks");
    return bad(TokenKind::invalid, "an invalid character");
  }

  [[nodiscard]] Token number();
  [[nodiscard]] Token whole_number(std::string digits, int base);
  [[nodiscard]] std::size_t quote_prefix() const;
  [[nodiscard]] Token quoted(std::size_t prefix);
  [[nodiscard]] bool escape(bool is_bytes, std::string& out);
  [[nodiscard]] bool coded(int base, std::size_t length, bool is_bytes, std::string& out);

  std::string_view text_;
  std::size_t at_ = 0;
};

Token Lexer::whole_number(std::string digits, int base) {
  const bool is_unsigned = peek() == 'u' || peek() == 'U';
  if (is_unsigned) ++at_;
  std::uint64_t read = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), read, base);
  // 2^63 is valid after a sign, which only the parser sees: pass it on as text
  const std::uint64_t limit = is_unsigned ? UINT64_MAX : std::uint64_t{1} << 63;
  if (result.ec != std::errc() || read > limit) {
    return bad(TokenKind::invalid, "a number that is too large");
  }
  if (is_unsigned) return literal({read});
  Token token = literal({static_cast<std::int64_t>(read)});
  if (read == limit) token.text = "minimum";
  return token;
}

Token Lexer::number() {
  const std::size_t begin = at_;
  if (peek() == '0' && peek(1) == 'x' && hex_value(peek(2)) >= 0) {
    at_ += 2;
    while (hex_value(peek()) >= 0) ++at_;
    return whole_number(std::string(text_.substr(begin + 2, at_ - begin - 2)), 16);
  }
  while (is_digit(peek())) ++at_;
  bool is_real = false;
  if (peek() == '.' && is_digit(peek(1))) {
    is_real = true;
    ++at_;
    while (is_digit(peek())) ++at_;
  }
  if (peek() == 'e' || peek() == 'E') {
    const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
    if (is_digit(peek(1 + sign))) {
      is_real = true;
      at_ += 1 + sign;
      while (is_digit(peek())) ++at_;
    }
  }
  const std::string digits(text_.substr(begin, at_ - begin));
  if (!is_real) return whole_number(digits, 10);
  double read = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), read);
  if (result.ec != std::errc()) return bad(TokenKind::unread, "a number that is out of range");
  return literal(make_value(read));
}

/// How many letters precede the quotes of a string (`r`, `b`, `rb`, `br`); npos: no string begins
/// here.
std::size_t Lexer::quote_prefix() const {
  const auto is_quote = [](char c) { return c == '"' || c == '\''; };
  const auto is_mark = [](char c) { return c == 'r' || c == 'R' || c == 'b' || c == 'B'; };
  if (is_quote(peek())) return 0;
  if (is_mark(peek()) && is_quote(peek(1))) return 1;
  const auto is_raw = [](char c) { return c == 'r' || c == 'R'; };
  if (is_mark(peek()) && is_mark(peek(1)) && is_raw(peek()) != is_raw(peek(1)) &&
      is_quote(peek(2))) {
    return 2;
  }
  return std::string_view::npos;
}

Token Lexer::quoted(std::size_t prefix) {
  bool is_raw = false;
  bool is_bytes = false;
  for (std::size_t i = 0; i < prefix; ++i, ++at_) {
    (peek() == 'r' || peek() == 'R' ? is_raw : is_bytes) = true;
  }
  const std::string quote(1, peek());
  const std::string thrice = quote + quote + quote;
  const bool is_long = text_.substr(at_).starts_with(thrice);
  const std::string& mark = is_long ? thrice : quote;
  at_ += mark.size();
  std::string out;
  while (!text_.substr(at_).starts_with(mark)) {
    if (at_ >= text_.size() || (!is_long && (peek() == '\n' || peek() == '\r'))) {
      return bad(TokenKind::invalid, "a string without its closing quote");
    }
    if (peek() != '\\') {
      out += text_[at_++];
    } else if (is_raw) {
      // some parsers end a raw string at a quote after a backslash, others do not
      if (peek(1) == '"' || peek(1) == '\'') return bad(TokenKind::unread, "an unusual raw string");
      out += text_[at_++];
    } else if (++at_; !escape(is_bytes, out)) {
      return bad(TokenKind::invalid, "an invalid escape sequence");
    }
  }
  at_ += mark.size();
  return literal(is_bytes ? Value{Bytes{std::move(out)}} : make_value(std::move(out)));
}

bool Lexer::escape(bool is_bytes, std::string& out) {
  const char kind = peek();
  if (const auto simple = simple_escape(kind)) {
    ++at_;
    out += *simple;
    return true;
  }
  if (kind >= '0' && kind <= '3') return coded(8, 3, is_bytes, out);
  ++at_;
  if (kind == 'x' || kind == 'X') return coded(16, 2, is_bytes, out);
  if (is_bytes) return false;
  if (kind == 'u') return coded(16, 4, false, out);
  if (kind == 'U') return coded(16, 8, false, out);
  return false;
}

bool Lexer::coded(int base, std::size_t length, bool is_bytes, std::string& out) {
  std::uint32_t code = 0;
  for (std::size_t i = 0; i < length; ++i, ++at_) {
    const int digit = hex_value(peek());
    if (digit < 0 || digit >= base) return false;
    code = code * static_cast<std::uint32_t>(base) + static_cast<std::uint32_t>(digit);
  }
  if (is_bytes) {
    out += static_cast<char>(code);
    return true;
  }
  const bool is_surrogate = code >= 0xD800 && code < 0xE000;
  if (code > 0x10FFFF || is_surrogate) return false;
  append_utf8(out, code);
  return true;
}

}  // namespace

std::vector<Token> tokenize(std::string_view text) { return Lexer(text).run(); }

}  // namespace gpulint::cel
