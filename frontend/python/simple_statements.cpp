#include "frontend/python/simple_statements.h"

#include <algorithm>
#include <array>
#include <utility>

#include "compiler/base/text.h"

namespace gpulint::python {
namespace {

using Kind = Statement::Kind;

/// Whether something is called in it: `names[find(key=1)].value`.
[[nodiscard]] bool holds_call(const Expression& within) {
  return within.is(Expression::Kind::call) || std::ranges::any_of(within.parts, holds_call);
}

}  // namespace

bool SimpleStatements::is_line_end() const {
  return read_.peek().is(Token::Kind::newline) || read_.peek().is(Token::Kind::end);
}

/// The byte behind the last token that was taken.
std::uint32_t SimpleStatements::last_end() const {
  std::size_t at = read_.at();
  while (at > 0 && (tokens_[at - 1].span.empty() || tokens_[at - 1].is(Token::Kind::newline))) --at;
  return at == 0 ? 0 : tokens_[at - 1].span.end;
}

Span SimpleStatements::since(std::uint32_t begin) const {
  return {file_.id(), begin, std::max(begin, last_end())};
}

void SimpleStatements::skip_line() {
  while (!is_line_end()) read_.take();
  if (read_.peek().is(Token::Kind::newline)) read_.take();
}

Word SimpleStatements::take_word() {
  const Token& token = read_.take();
  return {std::string(token.text), token.span};
}

void SimpleStatements::read_line(Place place, std::vector<Statement>& into) {
  while (!is_line_end()) {
    const std::size_t before = read_.at();
    read_simple(place, into);
    while (!is_line_end() && !read_.peek().is(";")) {
      if (read_.at() == before) break;
      read_.take();  // what no statement has
    }
    if (read_.at() == before || read_.peek().is(";")) read_.take();
  }
  if (read_.peek().is(Token::Kind::newline)) read_.take();
}

void SimpleStatements::read_simple(Place place, std::vector<Statement>& into) {
  if (read_.peek().is("import") && read_.peek(1).is(Token::Kind::name))
    return read_import(place, into);
  if (read_.peek().is("from") && !read_.peek(1).is("=")) return read_from(place, into);
  const bool is_global = read_.peek().is("global") || read_.peek().is("nonlocal");
  if ((is_global || read_.peek().is("del")) && read_.peek(1).is(Token::Kind::name)) {
    read_.take();
    while (read_.peek().is(Token::Kind::name)) {
      const Word name = take_word();
      if (is_global) {
        globals_.push_back(name);
      } else {
        add_unknown(name, place, into);
      }
      if (!read_.take_if(",")) break;
    }
    return;
  }
  static constexpr std::array<std::string_view, 4> verbs = {"return", "assert", "raise", "yield"};
  const bool is_alias = read_.peek().is("type") && read_.peek(1).is(Token::Kind::name);
  if (is_alias || is_listed(verbs, read_.peek().text)) read_.take();
  if (!is_line_end()) read_assignment(place, into);
}

std::string SimpleStatements::read_dotted() {
  std::string name;
  while (read_.peek().is(Token::Kind::name) && !read_.peek().is("import")) {
    name += read_.take().text;
    if (!read_.peek().is(".") || !read_.peek(1).is(Token::Kind::name)) break;
    name += read_.take().text;
  }
  return name;
}

void SimpleStatements::read_import(Place place, std::vector<Statement>& into) {
  read_.take();
  while (read_.peek().is(Token::Kind::name)) {
    Statement made;
    made.kind = Kind::import;
    made.conditional = place.conditional;
    const Token& first = read_.peek();
    made.module = read_dotted();
    made.name = {std::string(first.text), first.span};
    if (read_.take_if("as") && read_.peek().is(Token::Kind::name)) {
      made.name = take_word();
    } else {
      made.module = std::string(first.text);  // that is what the name then means
    }
    made.span = since(first.span.begin);
    into.push_back(std::move(made));
    if (!read_.take_if(",")) break;
  }
}

void SimpleStatements::read_from(Place place, std::vector<Statement>& into) {
  const std::uint32_t begin = read_.take().span.begin;
  std::uint32_t dots = 0;
  while (read_.peek().is(".") || read_.peek().is("..."))
    dots += static_cast<std::uint32_t>(read_.take().text.size());
  const std::string module = read_dotted();
  if (!read_.take_if("import")) return;
  read_.take_if("(");
  while (read_.peek().is(Token::Kind::name) || read_.peek().is("*")) {
    Statement made;
    made.kind = Kind::from;
    made.conditional = place.conditional;
    made.module = module;
    made.dots = dots;
    made.name = take_word();
    made.member = made.name.text;
    if (read_.take_if("as") && read_.peek().is(Token::Kind::name)) made.name = take_word();
    made.span = since(begin);
    into.push_back(std::move(made));
    if (!read_.take_if(",")) break;
  }
  read_.take_if(")");
}

/// `a = b = value`, `a: T = value`, `a += value`, or an expression alone.
void SimpleStatements::read_assignment(Place place, std::vector<Statement>& into) {
  const std::uint32_t begin = read_.peek().span.begin;
  std::vector<Expression> targets;
  Expression value = read_.read_list();
  if (read_.peek().is(":") && read_.take_if(":")) {
    const Expression annotation = read_.read();
    if (!read_.peek().is("=")) return;
  }
  if (is_assignment(read_.peek())) {
    read_.take();
    targets.push_back(std::exchange(value, {}));
    add_expression(begin, read_.read_list(), place, into);
  }
  while (read_.peek().is("=")) {
    read_.take();
    targets.push_back(std::move(value));
    value = read_.read_list();
  }
  if (targets.empty()) return add_expression(begin, std::move(value), place, into);
  for (const Expression& target : targets) assign(target, value, begin, place, into);
}

void SimpleStatements::assign(const Expression& target, const Expression& value,
                              std::uint32_t begin, Place place, std::vector<Statement>& into) {
  using Of = Expression::Kind;
  if (target.is(Of::name)) {
    Statement made;
    made.kind = Kind::assignment;
    made.conditional = place.conditional;
    made.name = {target.text, target.span};
    made.value = value;
    made.span = since(begin);
    into.push_back(std::move(made));
    return;
  }
  const bool is_list = target.is(Of::tuple) || target.is(Of::list);
  // `base.attribute = …` and `base[…] = …` change what the name stands for.
  if (!is_list && !target.parts.empty()) {
    add_expression(begin, value, place, into);
    if (holds_call(target)) add_expression(begin, target, place, into);
    assign(target.parts.front(), {}, begin, place, into);
    return;
  }
  const bool is_same_size =
      is_list && value.kind == Of::tuple && value.parts.size() == target.parts.size();
  if (is_list && !is_same_size) add_expression(begin, value, place, into);
  for (std::size_t i = 0; is_list && i < target.parts.size(); ++i) {
    assign(target.parts[i], is_same_size ? value.parts[i] : Expression(), begin, place, into);
  }
}

void SimpleStatements::add_unknown(const Word& name, Place place, std::vector<Statement>& into) {
  Statement made;
  made.kind = Kind::assignment;
  made.conditional = place.conditional;
  made.name = name;
  made.span = name.span;
  into.push_back(std::move(made));
}

void SimpleStatements::add_expression(std::uint32_t begin, Expression value, Place place,
                                      std::vector<Statement>& into) {
  const bool says_nothing = value.parts.empty();
  if (says_nothing) return;
  Statement made;
  made.conditional = place.conditional;
  made.value = std::move(value);
  made.span = since(begin);
  into.push_back(std::move(made));
}

bool SimpleStatements::follows(std::string_view word) const {
  return read_.at() > 0 && tokens_[read_.at() - 1].is(word);
}

}  // namespace gpulint::python
