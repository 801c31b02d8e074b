#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "compiler/cel/expression.h"
#include "compiler/cel/lexer.h"

namespace gpulint::cel {
namespace {

using ExpressionKind = Expression::Kind;

constexpr std::array<std::string_view, 17> reserved = {
    "as",  "break", "const",     "continue", "else", "for",    "function", "if",   "import",
    "let", "loop",  "namespace", "package",  "var",  "return", "void",     "while"};

/// A macro with a receiver: `[1, 2].all(x, x > 0)`.
struct Macro {
  std::string_view name;
  std::size_t arguments;
  ExpressionKind kind;
};
constexpr Macro receiver_macros[] = {
    {"all", 2, ExpressionKind::all},
    {"exists", 2, ExpressionKind::exists},
    {"exists_one", 2, ExpressionKind::exists_one},
    {"map", 2, ExpressionKind::transform},
    {"map", 3, ExpressionKind::transform},
    {"filter", 2, ExpressionKind::filter},
    {"optMap", 2, ExpressionKind::opt_map},
    {"optFlatMap", 2, ExpressionKind::opt_flat_map},
};

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  [[nodiscard]] Program run() {
    try {
      program_.root = expression();
      if (current().kind != Token::Kind::end) fail("unexpected text after the expression");
    } catch (Complaint& complaint) {
      program_.complaint = std::move(complaint);
    }
    return std::move(program_);
  }

 private:
  [[nodiscard]] const Token& current() const { return tokens_[at_]; }
  [[nodiscard]] const Token& ahead(std::size_t count) const {
    return tokens_[std::min(at_ + count, tokens_.size() - 1)];
  }
  [[noreturn]] void fail(const std::string& text) const {
    throw Complaint{current().kind == Token::Kind::unread ? Understood::open : Understood::invalid,
                    current().text.empty() || current().kind == Token::Kind::identifier ||
                            current().kind == Token::Kind::symbol
                        ? text
                        : current().text,
                    current().begin};
  }
  [[noreturn]] void leave_open(std::string text) const {
    throw Complaint{Understood::open, std::move(text), current().begin};
  }
  [[nodiscard]] bool is_symbol(std::string_view text) const {
    return current().kind == Token::Kind::symbol && current().text == text;
  }
  [[nodiscard]] bool take(std::string_view text) {
    if (!is_symbol(text)) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view text) {
    if (!take(text)) fail("'" + std::string(text) + "' is missing");
  }
  [[nodiscard]] std::string take_name() {
    if (current().kind != Token::Kind::identifier) fail("a name is missing");
    return tokens_[at_++].text;
  }

  [[nodiscard]] Index add(Expression expression, std::size_t begin) {
    expression.begin = begin;
    expression.end = at_ == 0 ? begin : tokens_[at_ - 1].end;
    for (const Index operand : expression.operands) {
      expression.depth = std::max(expression.depth, program_.nodes[operand].depth + 1);
    }
    if (expression.depth > deepest) leave_open("an expression that is nested very deeply");
    program_.nodes.push_back(std::move(expression));
    return static_cast<Index>(program_.nodes.size() - 1);
  }
  [[nodiscard]] Index call(std::string name, std::vector<Index> operands, std::size_t begin) {
    Expression made;
    made.kind = ExpressionKind::call;
    made.name = std::move(name);
    made.operands = std::move(operands);
    return call(std::move(made), begin);
  }
  [[nodiscard]] Index call(Expression made, std::size_t begin) {
    made.function = find_function(made.name, made.is_member);
    if (made.name == "matches" && made.operands.size() == 2) {
      const Value& second = program_.nodes[made.operands[1]].literal;
      if (const auto* text = second.as<std::string>()) made.regex = compile_regex(*text);
    }
    return add(std::move(made), begin);
  }

  [[nodiscard]] Index expression();
  [[nodiscard]] Index binary(std::size_t level);
  [[nodiscard]] Index unary();
  [[nodiscard]] Index negated_literal();
  [[nodiscard]] Index member();
  [[nodiscard]] Index select(Index operand, std::size_t begin);
  [[nodiscard]] Index subscript(Index operand, std::size_t begin);
  [[nodiscard]] Index primary();
  [[nodiscard]] Index name_or_call();
  [[nodiscard]] Index list();
  [[nodiscard]] Index map();
  [[nodiscard]] Index member_call(Index receiver, std::string name, std::size_t begin);
  [[nodiscard]] std::vector<Index> arguments();
  [[nodiscard]] const std::string& variable(Index argument) const;
  [[nodiscard]] Index presence(std::span<const Index> operands, std::size_t begin);

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::uint32_t nesting_ = 0;
  Program program_;
};

Index Parser::expression() {
  // each level of nesting takes a few stack frames
  if (++nesting_ > deepest) leave_open("an expression that is nested very deeply");
  const std::size_t begin = current().begin;
  Index result = binary(0);
  if (take("?")) {
    const Index then = binary(0);
    expect(":");
    const Index otherwise = expression();
    result = call("_?_:_", {result, then, otherwise}, begin);
  }
  --nesting_;
  return result;
}

/// Operators by precedence, the lowest first; all are left-associative.
Index Parser::binary(std::size_t level) {
  static const std::vector<std::vector<std::string_view>> levels = {
      {"||"}, {"&&"}, {"<", "<=", ">", ">=", "==", "!=", "in"}, {"+", "-"}, {"*", "/", "%"}};
  if (level == levels.size()) return unary();
  const std::size_t begin = current().begin;
  Index left = binary(level + 1);
  while (current().kind == Token::Kind::symbol &&
         std::ranges::count(levels[level], current().text) > 0) {
    const std::string name = "_" + tokens_[at_++].text + "_";
    const Index right = binary(level + 1);
    left = call(name, {left, right}, begin);
  }
  return left;
}

Index Parser::unary() {
  const std::size_t begin = current().begin;
  const std::string sign = is_symbol("!") ? "!" : "-";
  if (!is_symbol("!") && !is_symbol("-")) return member();
  // a single sign belongs to the number
  const bool is_number_ahead = ahead(1).kind == Token::Kind::literal && is_number(ahead(1).literal);
  if (sign == "-" && is_number_ahead) return member();
  std::size_t count = 0;
  for (; is_symbol(sign); ++at_) ++count;
  const Index operand = member();
  // two signs cancel out, even if one alone would be an error
  return count % 2 == 0 ? operand : call(sign + "_", {operand}, begin);
}

Index Parser::negated_literal() {
  const std::size_t begin = current().begin;
  ++at_;
  const Token& token = tokens_[at_++];
  Expression made;
  if (const auto* whole = token.literal.as<std::int64_t>()) {
    made.literal = token.text == "minimum" ? token.literal : make_value(-*whole);
  } else if (const auto* real = token.literal.as<double>()) {
    made.literal = make_value(-*real);
  } else {
    --at_;
    fail("an unsigned number with a sign");
  }
  return add(std::move(made), begin);
}

Index Parser::member() {
  const std::size_t begin = current().begin;
  Index result = primary();
  for (;;) {
    if (take(".")) {
      result = select(result, begin);
    } else if (take("[")) {
      result = subscript(result, begin);
    } else {
      return result;
    }
  }
}

Index Parser::select(Index operand, std::size_t begin) {
  const bool is_optional = take("?");
  std::string name = take_name();
  if (is_symbol("(")) {
    if (is_optional) fail("a call cannot be optional");
    return member_call(operand, std::move(name), begin);
  }
  Expression made;
  made.kind = ExpressionKind::select;
  made.name = std::move(name);
  made.is_optional = is_optional;
  made.operands = {operand};
  return add(std::move(made), begin);
}

Index Parser::subscript(Index operand, std::size_t begin) {
  Expression made;
  made.kind = ExpressionKind::index;
  made.is_optional = take("?");
  made.operands = {operand, expression()};
  expect("]");
  return add(std::move(made), begin);
}

Index Parser::primary() {
  const std::size_t begin = current().begin;
  if (take("(")) {
    const Index inner = expression();
    expect(")");
    return inner;
  }
  if (is_symbol("[")) return list();
  if (is_symbol("{")) return map();
  if (is_symbol("-")) return negated_literal();
  if (current().kind == Token::Kind::literal) {
    if (current().text == "minimum") fail("a number that is too large");
    Expression made;
    made.literal = tokens_[at_++].literal;
    return add(std::move(made), begin);
  }
  return name_or_call();
}

Index Parser::name_or_call() {
  const std::size_t begin = current().begin;
  if (is_symbol(".")) leave_open("a name that begins with a point");
  if (current().kind == Token::Kind::identifier &&
      std::ranges::count(reserved, std::string_view(current().text)) > 0) {
    fail("a reserved word");
  }
  Expression made;
  made.kind = ExpressionKind::identifier;
  made.name = take_name();
  if (is_symbol("{")) leave_open("an object literal");
  if (!is_symbol("(")) return add(std::move(made), begin);
  std::vector<Index> operands = arguments();
  if (made.name == "has" && operands.size() == 1) return presence(operands, begin);
  return call(std::move(made.name), std::move(operands), begin);
}

Index Parser::presence(std::span<const Index> operands, std::size_t begin) {
  Expression& tested = program_.nodes[operands.front()];
  if (tested.kind != ExpressionKind::select || tested.is_optional) {
    fail("has() takes a field: has(device.attributes[\"domain\"].name)");
  }
  tested.kind = ExpressionKind::present;
  tested.begin = begin;
  tested.end = tokens_[at_ - 1].end;
  return operands.front();
}

Index Parser::list() {
  const std::size_t begin = current().begin;
  Expression made;
  made.kind = ExpressionKind::list;
  expect("[");
  while (!is_symbol("]")) {
    if (is_symbol("?")) leave_open("an optional item of a list");
    made.operands.push_back(expression());
    if (!take(",")) break;
  }
  // cel-go accepts `[,]`; its value is not known
  if (made.operands.empty() && is_symbol(",")) leave_open("a list with a comma only");
  expect("]");
  return add(std::move(made), begin);
}

Index Parser::map() {
  const std::size_t begin = current().begin;
  Expression made;
  made.kind = ExpressionKind::map;
  expect("{");
  while (!is_symbol("}")) {
    if (is_symbol("?")) leave_open("an optional entry of a map");
    if (is_symbol(",")) leave_open("a map with a comma only");
    made.operands.push_back(expression());
    expect(":");
    made.operands.push_back(expression());
    if (!take(",")) break;
  }
  expect("}");
  if (is_symbol("{")) leave_open("an object literal");
  return add(std::move(made), begin);
}

std::vector<Index> Parser::arguments() {
  std::vector<Index> read;
  expect("(");
  while (!is_symbol(")")) {
    read.push_back(expression());
    if (!take(",")) break;
    if (is_symbol(")")) fail("an argument is missing");
  }
  expect(")");
  return read;
}

const std::string& Parser::variable(Index argument) const {
  const Expression& named = program_.nodes[argument];
  if (named.kind != ExpressionKind::identifier) fail("a macro's variable must be a plain name");
  return named.name;
}

Index Parser::member_call(Index receiver, std::string name, std::size_t begin) {
  std::vector<Index> operands = arguments();
  const Expression& target = program_.nodes[receiver];
  const bool is_name = target.kind == ExpressionKind::identifier;
  Expression made;
  if (is_name && target.name == "cel" && name == "bind" && operands.size() == 3) {
    made.kind = ExpressionKind::bind;
    made.name = variable(operands[0]);
    made.operands = {operands[1], operands[2]};
    return add(std::move(made), begin);
  }
  for (const Macro& macro : receiver_macros) {
    if (macro.name != name || macro.arguments != operands.size()) continue;
    made.kind = macro.kind;
    made.name = variable(operands[0]);
    operands.erase(operands.begin());
    operands.insert(operands.begin(), receiver);
    made.operands = std::move(operands);
    return add(std::move(made), begin);
  }
  if (is_name && target.name == "optional") {
    return call("optional." + name, std::move(operands), begin);
  }
  operands.insert(operands.begin(), receiver);
  made.kind = ExpressionKind::call;
  made.name = std::move(name);
  made.is_member = true;
  made.operands = std::move(operands);
  return call(std::move(made), begin);
}

}  // namespace

Program parse(const std::string& text) {
  if (text.size() > longest_text) {
    return {.complaint = {Understood::open, "an expression that is too long"}, .nodes = {}};
  }
  return Parser(tokenize(text)).run();
}

}  // namespace gpulint::cel
