#include "frontend/python/expression_reader.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "compiler/base/text.h"
#include "frontend/limits.h"

namespace gpulint::python {
namespace {

[[nodiscard]] std::optional<std::uint32_t> digit_value(char c, std::uint32_t base) {
  std::uint32_t value = base;
  if (is_digit(c)) value = static_cast<std::uint32_t>(c - '0');
  if (c >= 'a' && c <= 'f') value = static_cast<std::uint32_t>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') value = static_cast<std::uint32_t>(c - 'A') + 10;
  if (value >= base) return std::nullopt;
  return value;
}

/// A code point of up to `digits` digits; takes them from `rest`.
[[nodiscard]] std::uint32_t take_number(std::string_view& rest, std::size_t digits,
                                        std::uint32_t base) {
  std::uint32_t value = 0;
  for (; digits > 0 && !rest.empty(); --digits, rest.remove_prefix(1)) {
    const auto digit = digit_value(rest.front(), base);
    if (!digit) break;
    value = value * base + *digit;
  }
  return value;
}

[[nodiscard]] std::size_t hex_digits(char letter) {
  return letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
}

/// Decodes a backslash and the text after it.
void add_escape(std::string_view& rest, std::string& text) {
  static constexpr std::string_view letters = "abfnrtv\\'\"";
  static constexpr std::string_view meant = "\a\b\f\n\r\t\v\\'\"";
  const char c = rest.front();
  if (c == '\n' || c == '\r') {
    rest.remove_prefix(rest.starts_with("\r\n") ? 2 : 1);
  } else if (const auto at = letters.find(c); at != std::string_view::npos) {
    text += meant[at];
    rest.remove_prefix(1);
  } else if (c >= '0' && c <= '7') {
    append_utf8(text, take_number(rest, 3, 8));
  } else if (const std::size_t digits = hex_digits(c); digits > 0) {
    rest.remove_prefix(1);
    append_utf8(text, std::min<std::uint32_t>(take_number(rest, digits, 16), 0x10FFFF));
  } else {
    text += '\\';
  }
}

using Kind = Expression::Kind;

/// Limit of attributes, calls and subscripts of one expression.
constexpr std::size_t max_links = 30;

/// Words that join expressions, or begin one that is not read.
constexpr std::array<std::string_view, 7> operators = {"for", "in",  "is",   "and",
                                                       "or",  "not", "async"};

[[nodiscard]] bool is_operator(const Token& token) {
  if (token.is(Token::Kind::name)) return is_listed(operators, token.text);
  if (!token.is(Token::Kind::sign)) return false;
  static constexpr std::array<std::string_view, 21> signs = {
      "+", "-", "*", "/", "//", "%",  "@",  "**", "<<", ">>", "&",
      "|", "^", "<", ">", "<=", ">=", "==", "!=", "<>", ":="};
  return is_listed(signs, token.text);
}

[[nodiscard]] Expression make(Kind kind, const Token& token, std::string text = {}) {
  Expression made;
  made.kind = kind;
  made.span = token.span;
  made.word = token.span;
  made.text = std::move(text);
  return made;
}

/// An expression that is not understood; its parts may contain calls.
[[nodiscard]] Expression make_opaque(std::vector<Expression> parts) {
  Expression made;
  made.span = join(parts.front().span, parts.back().span);
  made.parts = std::move(parts);
  return made;
}

[[nodiscard]] bool is_of_choice(const Token& token) { return token.is("if") || token.is("else"); }

/// The key of an entry that represents all entries of another dict.
[[nodiscard]] Expression make_unpacking(Span span) {
  Expression made;
  made.span = span;
  made.text = "**";
  return made;
}

/// `one | other` of dicts: `{**one, **other}`.
[[nodiscard]] Expression make_union(std::vector<Expression> dicts) {
  Expression made;
  made.kind = Kind::dict;
  made.span = join(dicts.front().span, dicts.back().span);
  for (Expression& each : dicts) {
    made.parts.push_back(make_unpacking(each.span));
    made.parts.push_back(std::move(each));
  }
  return made;
}

[[nodiscard]] Span from_to(Span begin, Span end) { return {begin.file, begin.begin, end.end}; }

[[nodiscard]] StringParts split_string(std::string_view literal) {
  StringParts parts;
  const std::size_t quote = std::min(literal.find_first_of("\"'"), literal.size());
  for (const char c : literal.substr(0, quote)) {
    parts.is_raw = parts.is_raw || c == 'r' || c == 'R';
    parts.is_bytes = parts.is_bytes || c == 'b' || c == 'B';
    parts.has_fields = parts.has_fields || c == 'f' || c == 'F' || c == 't' || c == 'T';
  }
  parts.content = literal.substr(quote);
  if (parts.content.empty()) return parts;
  const std::string one(1, parts.content.front());
  const std::string three(3, parts.content.front());
  const std::string& close = parts.content.starts_with(three) ? three : one;
  parts.content.remove_prefix(close.size());
  if (parts.content.ends_with(close)) parts.content.remove_suffix(close.size());
  return parts;
}

/// The value of a string that is not raw. Names of code points (`\N{…}`) are kept as written.
[[nodiscard]] std::string unescape(std::string_view content) {
  std::string text;
  while (!content.empty()) {
    const std::size_t slash = content.find('\\');
    text += content.substr(0, slash);
    if (slash == std::string_view::npos || slash + 1 == content.size()) break;
    content.remove_prefix(slash + 1);
    add_escape(content, text);
  }
  return text;
}

}  // namespace

const Token& ExpressionReader::peek(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

const Token& ExpressionReader::take() {
  const Token& token = peek();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool ExpressionReader::take_if(std::string_view word) {
  if (!peek().is(word)) return false;
  take();
  return true;
}

bool is_assignment(const Token& token) {
  static constexpr std::array<std::string_view, 13> signs = {
      "+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=", "<<=", ">>=", "@="};
  return token.is(Token::Kind::sign) && is_listed(signs, token.text);
}

bool ExpressionReader::is_end() const {
  const Token& token = peek();
  static constexpr std::array<std::string_view, 8> ends = {")", "]", "}", ",", ":", "=", ";", "->"};
  if (token.is(Token::Kind::sign)) return is_listed(ends, token.text) || is_assignment(token);
  if (token.is(Token::Kind::name)) return token.text == "as";
  return !token.is(Token::Kind::number) && !token.is(Token::Kind::string);
}

Expression ExpressionReader::read_list() {
  Expression first = read();
  if (!peek().is(",")) return first;
  Expression tuple;
  tuple.kind = Kind::tuple;
  tuple.span = first.span;
  tuple.parts.push_back(std::move(first));
  while (take_if(",") && !is_end()) tuple.parts.push_back(read());
  tuple.span = from_to(tuple.span, tuple.parts.back().span);
  return tuple;
}

Expression ExpressionReader::read() {
  Expression first = read_operation();
  if (!is_of_choice(peek())) return first;
  std::vector<Expression> parts;
  parts.push_back(std::move(first));
  bool is_choice = true;
  while (is_of_choice(peek())) {
    is_choice = is_choice && peek().is(parts.size() % 2 == 1 ? "if" : "else");
    take();
    if (is_end()) break;
    parts.push_back(read_operation());
  }
  Expression made = make_opaque(std::move(parts));
  // `[a if b else c for d in e]` is not one of two values
  for (std::size_t i = 0; i < made.parts.size(); i += 2) {
    is_choice = is_choice && !made.parts[i].is(Kind::opaque);
  }
  const bool is_whole = made.parts.size() > 2 && made.parts.size() % 2 == 1;
  if (is_choice && is_whole) made.kind = Kind::choice;
  return made;
}

Expression ExpressionReader::read_operation() {
  std::vector<Expression> parts;
  parts.push_back(read_unary());
  bool is_sum = true;
  bool is_union = true;
  bool is_product = true;
  while (is_operator(peek())) {
    is_sum = is_sum && peek().is("+");
    is_union = is_union && peek().is("|");
    is_product = is_product && peek().is("*");
    take();
    while (peek().is("not") || peek().is("in") || peek().is("for")) take();  // `is not`, `not in`
    if (is_end()) break;
    parts.push_back(read_unary());
  }
  // `match x`, `print x`: not an expression of Python 3, or not supported here
  while (!is_end() && !peek().is("=") && !is_of_choice(peek())) {
    is_sum = false;
    is_union = false;
    is_product = false;
    const std::size_t before = at_;
    parts.push_back(read_unary());
    if (at_ == before) take();
  }
  if (parts.size() == 1) return std::move(parts.front());
  if (is_union) return make_union(std::move(parts));
  Expression made = make_opaque(std::move(parts));
  if (is_sum) made.kind = Kind::joined;
  if (is_product) made.kind = Kind::product;
  return made;
}

Expression ExpressionReader::read_unary() {
  const Token& token = peek();
  if (depth_ >= limits::python_nesting) {
    take();
    return make(Kind::opaque, token);
  }
  static constexpr std::array<std::string_view, 9> prefixes = {"-",     "+",    "~", "not", "await",
                                                               "yield", "from", "*", "**"};
  if (!token.is("lambda") && is_listed(prefixes, token.text) && !token.is(Token::Kind::string)) {
    take();
    if (is_end()) return make(Kind::opaque, token);
    ++depth_;
    std::vector<Expression> parts;
    parts.push_back(read_unary());
    --depth_;
    if ((token.is("-") || token.is("+")) && parts.front().is(Kind::number)) {
      if (token.is("-")) parts.front().text.insert(0, "-");
      parts.front().span = from_to(token.span, parts.front().span);
      return std::move(parts.front());
    }
    Expression made = make_opaque(std::move(parts));
    made.span = from_to(token.span, made.span);
    return made;
  }
  ++depth_;
  Expression made = token.is("lambda") ? read_lambda() : read_atom();
  --depth_;
  return made;
}

Expression ExpressionReader::read_lambda() {
  Expression made = make(Kind::opaque, take());
  while (!is_end() || peek().is(",") || peek().is("=")) take();
  if (take_if(":") && !is_end()) {
    made.parts.push_back(read());
    made.span = from_to(made.span, made.parts.back().span);
  }
  return made;
}

Expression ExpressionReader::read_number() {
  const Token& token = take();
  std::string text(token.text);
  std::erase(text, '_');
  return make(Kind::number, token, std::move(text));
}

Expression ExpressionReader::read_atom() {
  const Token& token = peek();
  Expression made;
  if (token.is(Token::Kind::string)) {
    made = read_strings();
  } else if (token.is(Token::Kind::number)) {
    made = read_number();
  } else if (token.is(Token::Kind::name)) {
    take();
    const bool is_boolean = token.is("True") || token.is("False");
    const Kind kind = token.is("None") ? Kind::none : is_boolean ? Kind::boolean : Kind::name;
    made = make(kind, token, std::string(token.text));
  } else if (token.is("(") || token.is("[")) {
    made = read_group();
  } else if (token.is("{")) {
    made = read_braces();
  } else {
    if (!is_end()) take();
    return make(Kind::opaque, token);
  }
  // a chain nests without recursion, however long it is
  for (std::size_t links = 0; links < max_links; ++links) {
    if (peek().is(".") && peek(1).is(Token::Kind::name)) {
      take();
      Expression of = make(Kind::attribute, peek(), std::string(peek().text));
      of.span = from_to(made.span, take().span);
      of.parts.push_back(std::move(made));
      made = std::move(of);
    } else if (peek().is("(")) {
      Expression call;
      call.kind = Kind::call;
      call.span = made.span;
      call.parts.push_back(std::move(made));
      read_arguments(call);
      made = std::move(call);
    } else if (peek().is("[")) {
      read_subscript(made);
    } else {
      return made;
    }
  }
  return made;
}

void ExpressionReader::read_arguments(Expression& call) {
  take();
  while (!peek().is(")") && !peek().is(Token::Kind::end) && !peek().is(Token::Kind::newline)) {
    Word keyword;
    if (peek().is("*") || peek().is("**")) {
      keyword = {std::string(peek().text), peek().span};
      take();
    } else if (peek().is(Token::Kind::name) && peek(1).is("=")) {
      keyword = {std::string(peek().text), peek().span};
      take();
      take();
    }
    const std::size_t before = at_;
    Expression value = read();
    value.keyword = std::move(keyword);
    if (value.span.end > value.span.begin || value.is(Kind::opaque)) {
      call.parts.push_back(std::move(value));
    }
    if (!take_if(",") && !peek().is(")") && at_ == before) take();
  }
  call.span = from_to(call.span, peek().span);
  take_if(")");
}

void ExpressionReader::read_subscript(Expression& of) {
  take();
  Expression made;
  made.span = of.span;
  made.parts.push_back(std::move(of));
  made.kind = Kind::subscript;
  read_items("]", made);
  if (made.parts.size() != 2) made.kind = Kind::opaque;
  of = std::move(made);
}

/// Reads up to the closing bracket, which ends the expression.
void ExpressionReader::read_items(std::string_view close, Expression& into) {
  while (!peek().is(close) && !peek().is(Token::Kind::end) && !peek().is(Token::Kind::newline)) {
    const std::size_t before = at_;
    if (!is_end()) into.parts.push_back(read());
    if (!take_if(",") && !peek().is(close)) {
      into.kind = Kind::opaque;  // a slice, or brackets that do not match
      if (at_ == before) take();
    }
  }
  into.span = from_to(into.span, peek().span);
  take_if(close);
}

/// Brackets: a tuple, a list, or one expression in parentheses, which keeps its own place.
Expression ExpressionReader::read_group() {
  const bool is_list = peek().is("[");
  Expression made = make(is_list ? Kind::list : Kind::tuple, take());
  const std::size_t begin = at_;
  read_items(is_list ? "]" : ")", made);
  const bool has_comma = at_ >= begin + 2 && tokens_[at_ - 2].is(",");
  if (is_list || made.parts.size() != 1 || has_comma || !made.is(Kind::tuple)) return made;
  return std::move(made.parts.front());
}

/// A dict, or a set, which is opaque.
Expression ExpressionReader::read_braces() {
  Expression made = make(Kind::dict, take());
  while (!peek().is("}") && !peek().is(Token::Kind::end) && !peek().is(Token::Kind::newline)) {
    const std::size_t before = at_;
    if (peek().is("**")) {
      made.parts.push_back(make_unpacking(take().span));
      made.parts.push_back(read());
    } else {
      Expression key = read();
      const bool has_value = take_if(":");
      if (!has_value) made.kind = Kind::opaque;
      made.parts.push_back(std::move(key));
      if (has_value) made.parts.push_back(read());
    }
    if (!take_if(",") && !peek().is("}")) made.kind = Kind::opaque;
    if (at_ == before) take();
  }
  made.span = from_to(made.span, peek().span);
  take_if("}");
  return made;
}

Expression ExpressionReader::read_strings() {
  Expression made;
  made.kind = Kind::joined;
  made.span = peek().span;
  while (peek().is(Token::Kind::string)) {
    const Token& token = take();
    made.span = from_to(made.span, token.span);
    add_pieces(token, made);
  }
  made.word = made.span;
  const bool is_text =
      std::ranges::all_of(made.parts, [](const Expression& part) { return part.is(Kind::string); });
  if (!is_text) return made;
  made.kind = Kind::string;
  for (const Expression& part : made.parts) made.text += part.text;
  made.parts.clear();
  return made;
}

/// The text of a string; for one with fields, its texts and fields in turn.
void ExpressionReader::add_pieces(const Token& string, Expression& joined) {
  const StringParts parts = split_string(string.text);
  const auto add_text = [&](std::string_view content) {
    Expression& piece = joined.parts.emplace_back(make(Kind::string, string));
    piece.text = parts.is_raw ? std::string(content) : unescape(content);
  };
  if (parts.is_bytes) {
    joined.parts.push_back(make(Kind::opaque, string));
    return;
  }
  if (!parts.has_fields) return add_text(parts.content);
  const auto offset = [&](std::size_t at) {
    const auto begin = static_cast<std::size_t>(parts.content.data() - string.text.data());
    return string.span.begin + static_cast<std::uint32_t>(begin + at);
  };
  std::string text;
  const std::string_view content = parts.content;
  for (std::size_t at = 0; at < content.size();) {
    const std::size_t brace = std::min(content.find_first_of("{}", at), content.size());
    text += content.substr(at, brace - at);
    at = brace;
    if (at == content.size()) break;
    if (content[at] == '}' || content.substr(at).starts_with("{{")) {
      text += content[at];
      at += at + 1 < content.size() && content[at + 1] == content[at] ? 2 : 1;
      continue;
    }
    add_text(std::exchange(text, {}));
    const std::size_t end = std::min(content.find_first_of("{}", at + 1), content.size());
    const bool is_simple = end < content.size() && content[end] == '}';
    const Span field{string.span.file, offset(at + 1), offset(end)};
    if (!is_simple) {  // a dict, a width that is computed: none that is folded
      joined.parts.push_back(make(Kind::opaque, string));
      return;
    }
    add_field(field, joined);
    at = end + 1;
  }
  add_text(text);
}

/// The expression within braces; opaque with a conversion or format.
void ExpressionReader::add_field(Span field, Expression& joined) {
  const Tokens inner = tokenize(file_, field);
  ExpressionReader reader(file_, inner.tokens, depth_ + 1);
  Expression value = reader.read();
  const bool is_whole =
      reader.peek().is(Token::Kind::newline) || reader.peek().is(Token::Kind::end);
  if (!is_whole) value.kind = Kind::opaque;
  joined.parts.push_back(std::move(value));
}

}  // namespace gpulint::python
