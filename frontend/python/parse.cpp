#include "frontend/python/parse.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/base/text.h"
#include "frontend/limits.h"
#include "frontend/python/expression_reader.h"
#include "frontend/python/simple_statements.h"
#include "frontend/python/token.h"

namespace gpulint::python {
namespace {

using Kind = Statement::Kind;

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
  /// Statements up to the end of the block. Deeper blocks than are read are passed over.
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

  /// What stands behind a colon: on the same line, or in a block.
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

  /// Whether the line ends in the colon that a block follows, or begins with a word that has one.
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

  /// What functions and classes begin with, up to the bracket behind the name.
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

  /// Reads the body. What stands in it is no more conditional than it is itself.
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

  /// `name := value` since the token: what is not told of a declaration yet is given a name in the
  /// block around it.
  void note_walruses(std::size_t first, std::vector<Statement>& into) {
    const std::size_t end = std::min(read_.at(), tokens_.size());
    for (std::size_t i = first; i + 1 < end; ++i) {
      const bool is_walrus = tokens_[i].is(Token::Kind::name) && tokens_[i + 1].is(":=");
      if (!is_walrus || !walruses_.insert(i).second) continue;
      lines_.add_unknown({std::string(tokens_[i].text), tokens_[i].span}, {.conditional = true},
                         into);
    }
  }

  void read_parameters(std::vector<std::string>& names) {
    bool is_name = true;
    for (int open = 1; open > 0 && !lines_.is_line_end();) {
      const Token& token = read_.take();
      if (token.is(Token::Kind::name) && is_name && open == 1) {
        names.emplace_back(token.text);
        is_name = false;
      }
      if (!token.is(Token::Kind::sign)) continue;
      if (token.is("(") || token.is("[") || token.is("{")) ++open;
      if (token.is(")") || token.is("]") || token.is("}")) --open;
      if (token.is(",") && open == 1) is_name = true;
    }
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
  std::set<std::size_t> walruses_;  // that are told
};

}  // namespace

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
