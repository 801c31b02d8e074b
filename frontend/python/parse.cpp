#include "frontend/python/parse.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/base/text.h"
#include "compiler/ir/python.h"
#include "frontend/limits.h"
#include "frontend/python/expression_reader.h"
#include "frontend/python/token.h"

namespace gpulint::python {
namespace {

/// The place of a statement.
struct Place {
  bool conditional = false;
  std::size_t depth = 0;
};

/// Reads the statements that have no block: imports, assignments, expressions.
class SimpleStatements {
 public:
  /// Both must outlive it.
  SimpleStatements(const SourceFile& file, std::span<const Token> tokens)
      : file_(file), tokens_(tokens), read_(file, tokens) {}

  [[nodiscard]] ExpressionReader& reader() { return read_; }
  /// Names that functions declare as global.
  [[nodiscard]] const std::vector<Word>& globals() const { return globals_; }

  /// Simple statements with semicolons between them, up to the end of their line.
  void read_line(Place place, std::vector<Statement>& into);
  void skip_line();
  [[nodiscard]] Word take_word();

  [[nodiscard]] bool is_line_end() const;
  /// Whether the previous token is the word.
  [[nodiscard]] bool follows(std::string_view word) const;
  /// From a byte to the end of the previous token.
  [[nodiscard]] Span since(std::uint32_t begin) const;

  /// Adds an assignment of an unknown value to a name.
  void add_unknown(const Word& name, Place place, std::vector<Statement>& into);
  /// Keeps an expression for the calls in it.
  void add_expression(std::uint32_t begin, Expression value, Place place,
                      std::vector<Statement>& into);

 private:
  [[nodiscard]] std::uint32_t last_end() const;
  void read_simple(Place place, std::vector<Statement>& into);
  void read_result(Place place, std::vector<Statement>& into);
  [[nodiscard]] std::string read_dotted();
  void read_import(Place place, std::vector<Statement>& into);
  void read_from(Place place, std::vector<Statement>& into);
  void read_assignment(Place place, std::vector<Statement>& into);
  void assign(const Expression& target, const Expression& value, std::uint32_t begin, Place place,
              std::vector<Statement>& into);

  const SourceFile& file_;
  std::span<const Token> tokens_;
  ExpressionReader read_;
  std::vector<Word> globals_;
};

using Kind = Statement::Kind;

/// Whether it contains a call: `names[find(key=1)].value`.
[[nodiscard]] bool holds_call(const Expression& within) {
  return within.is(Expression::Kind::call) || std::ranges::any_of(within.parts, holds_call);
}

constexpr std::array<std::string_view, 11> compound_words = {
    "if", "elif", "else", "for", "while", "try", "except", "finally", "with", "async", "match"};

class Parser {
 public:
  Parser(const SourceFile& file, const std::vector<Token>& tokens)
      : tokens_(tokens), lines_(file, tokens), read_(lines_.reader()) {}

  [[nodiscard]] std::vector<Statement> run() && {
    std::vector<Statement> statements;
    while (!peek().is(Token::Kind::end)) {
      read_block({}, statements);
      if (peek().is(Token::Kind::dedent) || peek().is(Token::Kind::indent)) read_.take();
    }
    note_walruses(0, statements);
    for (const Word& name : lines_.globals()) {
      lines_.add_unknown(name, {.conditional = true}, statements);
    }
    return statements;
  }

 private:
  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const { return read_.peek(ahead); }
  /// Statements up to the end of the block. Skips blocks that are nested too deeply.
  void read_block(Place place, std::vector<Statement>& into) {
    while (!peek().is(Token::Kind::end) && !peek().is(Token::Kind::dedent)) {
      if (peek().is(Token::Kind::indent)) {
        read_indented({place.conditional, place.depth + 1}, into);
        continue;
      }
      const std::size_t before = read_.at();
      read_statement(place, into);
      if (read_.at() == before) read_.take();
    }
  }

  /// From an indent to its dedent.
  void read_indented(Place place, std::vector<Statement>& into) {
    read_.take();
    if (place.depth < limits::python_nesting) {
      read_block(place, into);
    } else {
      skip_block();
    }
    if (peek().is(Token::Kind::dedent)) read_.take();
  }

  void skip_block() {
    for (std::size_t open = 0; !peek().is(Token::Kind::end); read_.take()) {
      if (peek().is(Token::Kind::indent)) ++open;
      if (peek().is(Token::Kind::dedent) && open-- == 0) return;
    }
  }

  /// The text after a colon: on the same line, or in a block.
  void read_suite(Place place, std::vector<Statement>& into) {
    ++place.depth;
    if (!lines_.is_line_end()) return lines_.read_line(place, into);
    read_.take();
    if (peek().is(Token::Kind::indent)) read_indented(place, into);
  }

  void read_statement(Place place, std::vector<Statement>& into) {
    const std::uint32_t begin = peek().span.begin;
    std::vector<Expression> decorators;
    while (peek().is("@") && peek().is(Token::Kind::sign)) {
      read_.take();
      decorators.push_back(read_.read());
      lines_.skip_line();
    }
    const bool is_async = peek().is("async") && peek(1).is("def");
    if (is_async) read_.take();
    if (peek().is("def") && peek(1).is(Token::Kind::name)) {
      return read_function(place, begin, std::move(decorators), into);
    }
    if (peek().is("class") && peek(1).is(Token::Kind::name)) {
      return read_class(place, begin, std::move(decorators), into);
    }
    if (peek().is(Token::Kind::name) && begins_compound()) return read_compound(place, into);
    lines_.read_line(place, into);
  }

  /// Whether the line ends in a colon before a block, or begins with a word that has a block.
  [[nodiscard]] bool begins_compound() const {
    if (peek(1).is("=") || peek(1).is(".") || peek(1).is("(")) {
      if (peek().is("match")) return false;
    }
    if (is_listed(compound_words, peek().text)) return true;
    return peek().is("case") && !peek(1).is("=") && !peek(1).is(".") && !peek(1).is("(");
  }

  void read_compound(Place place, std::vector<Statement>& into) {
    const std::uint32_t begin = peek().span.begin;
    const bool is_loop = peek().is("for") || peek(1).is("for");
    read_.take();
    std::vector<Expression> header;
    bool is_target = is_loop;
    while (!lines_.is_line_end() && !peek().is(":")) {
      const std::size_t before = read_.at();
      if (peek().is("in")) is_target = false;
      const bool is_named = lines_.follows("as");
      if (peek().is(Token::Kind::name) && (is_target || is_named)) {
        lines_.add_unknown({std::string(peek().text), peek().span}, place, into);
      }
      if (is_target || is_named || peek().is("as") || peek().is("in") || peek().is("for")) {
        read_.take();
        continue;
      }
      header.push_back(read_.read());
      if (read_.at() == before) read_.take();
    }
    for (Expression& part : header) lines_.add_expression(begin, std::move(part), place, into);
    if (!peek().is(":")) return lines_.skip_line();
    read_.take();
    place.conditional = true;
    read_suite(place, into);
  }

  /// The beginning of functions and classes, up to the bracket after the name.
  [[nodiscard]] Statement begin_declaration(Kind kind, Place place,
                                            std::vector<Expression> decorators) {
    Statement made;
    made.kind = kind;
    made.conditional = place.conditional;
    made.decorators = std::move(decorators);
    read_.take();
    made.name = lines_.take_word();
    if (peek().is("[")) skip_brackets();
    return made;
  }

  void read_function(Place place, std::uint32_t begin, std::vector<Expression> decorators,
                     std::vector<Statement>& into) {
    Statement made = begin_declaration(Kind::function, place, std::move(decorators));
    if (read_.take_if("(")) read_parameters(made.parameters);
    finish_declaration(std::move(made), begin, place, into);
  }

  void read_class(Place place, std::uint32_t begin, std::vector<Expression> decorators,
                  std::vector<Statement>& into) {
    Statement made = begin_declaration(Kind::type, place, std::move(decorators));
    if (read_.take_if("(")) read_bases(made.bases);
    finish_declaration(std::move(made), begin, place, into);
  }

  void read_bases(std::vector<Expression>& bases) {
    while (!lines_.is_line_end() && !peek().is(")")) {
      const std::size_t before = read_.at();
      if (peek().is(Token::Kind::name) && peek(1).is("=")) read_.move_to(before + 2);
      bases.push_back(read_.read());
      if (!read_.take_if(",") && read_.at() == before) read_.take();
    }
    read_.take_if(")");
  }

  /// Reads the body. Its statements are as conditional as the declaration itself.
  void finish_declaration(Statement made, std::uint32_t begin, Place place,
                          std::vector<Statement>& into) {
    while (!lines_.is_line_end() && !peek().is(":")) read_.take();
    read_.take_if(":");
    made.header = lines_.since(begin);
    place.conditional = false;
    const std::size_t first = read_.at();
    read_suite(place, made.body);
    note_walruses(first, made.body);
    made.span = lines_.since(begin);
    into.push_back(std::move(made));
  }

  /// `name := value` since the token: adds an assignment in the enclosing block for each one that
  /// is not added yet.
  void note_walruses(std::size_t first, std::vector<Statement>& into) {
    const std::size_t end = std::min(read_.at(), tokens_.size());
    for (std::size_t i = first; i + 1 < end; ++i) {
      const bool is_walrus = tokens_[i].is(Token::Kind::name) && tokens_[i + 1].is(":=");
      if (!is_walrus || !walruses_.insert(i).second) continue;
      lines_.add_unknown({std::string(tokens_[i].text), tokens_[i].span}, {.conditional = true},
                         into);
    }
  }

  void read_parameters(std::vector<Parameter>& parameters) {
    while (!lines_.is_line_end() && !peek().is(")")) {
      const std::size_t before = read_.at();
      Parameter made;
      if (peek().is("*") || peek().is("**")) made.stars = std::string(read_.take().text);
      if (peek().is(Token::Kind::name)) made.name = std::string(read_.take().text);
      if (read_.take_if(":")) std::ignore = read_.read();  // the annotation
      if (read_.take_if("=")) made.value.push_back(read_.read());
      if (!made.name.empty() || made.stars == "*") parameters.push_back(std::move(made));
      if (!read_.take_if(",") && (!peek().is(")") || read_.at() == before)) read_.take();
    }
    read_.take_if(")");
  }

  void skip_brackets() {
    int open = 0;
    do {
      const Token& token = read_.take();
      if (token.is("[")) ++open;
      if (token.is("]")) --open;
    } while (open > 0 && !lines_.is_line_end());
  }

  const std::vector<Token>& tokens_;
  SimpleStatements lines_;
  ExpressionReader& read_;
  std::set<std::size_t> walruses_;  // already added
};

}  // namespace

bool SimpleStatements::is_line_end() const {
  return read_.peek().is(Token::Kind::newline) || read_.peek().is(Token::Kind::end);
}

/// The byte after the previous token.
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
      read_.take();  // not part of any statement
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
  if (read_.peek().is("return")) return read_result(place, into);
  static constexpr std::array<std::string_view, 3> verbs = {"assert", "raise", "yield"};
  const bool is_alias = read_.peek().is("type") && read_.peek(1).is(Token::Kind::name);
  if (is_alias || is_listed(verbs, read_.peek().text)) read_.take();
  if (!is_line_end()) read_assignment(place, into);
}

void SimpleStatements::read_result(Place place, std::vector<Statement>& into) {
  Statement made;
  made.kind = Kind::result;
  made.conditional = place.conditional;
  const std::uint32_t begin = read_.take().span.begin;
  if (!is_line_end()) made.value = read_.read_list();
  made.span = since(begin);
  into.push_back(std::move(made));
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
      made.module = std::string(first.text);  // this is the name's meaning then
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
  if (!is_list && !target.parts.empty()) {
    const bool is_field = target.is(Of::attribute) && target.parts[0].is(Of::name);
    if (!is_field) add_expression(begin, value, place, into);
    if (holds_call(target)) add_expression(begin, target, place, into);
    const Expression* base = &target;
    while (!base->parts.empty()) base = base->parts.data();
    if (!base->is(Of::name)) return;
    add_unknown({base->text, base->span}, place, into);
    into.back().kind = Kind::change;
    into.back().span = since(begin);
    if (is_field) into.back().member = target.text;
    if (is_field) into.back().value = value;
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

Module parse(const SourceFile& file) {
  Module module;
  module.file = file.id();
  if (file.text().size() > limits::python_bytes) return module;
  Tokens tokens = tokenize(file);
  module.comments = std::move(tokens.comments);
  module.statements = Parser(file, tokens.tokens).run();
  return module;
}

}  // namespace gpulint::python
