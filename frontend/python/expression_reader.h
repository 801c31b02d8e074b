#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/python.h"
#include "frontend/python/token.h"

namespace gpulint::python {

/// The parts of a string literal.
struct StringParts {
  bool is_raw = false;
  bool is_bytes = false;
  bool has_fields = false;   ///< An f-string, or a t-string.
  std::string_view content;  ///< Between the quotes.
};

/// Whether the token changes the expression before it: `+=` and the like.
[[nodiscard]] bool is_assignment(const Token& token);

/// Reads expressions from tokens. Always ends: after anything unknown, everything up to the next
/// comma, bracket or line is opaque.
class ExpressionReader {
 public:
  /// `tokens` end with one of kind `end`. `depth`: the number of enclosing expressions.
  ExpressionReader(const SourceFile& file, std::span<const Token> tokens, std::size_t depth = 0)
      : file_(file), tokens_(tokens), depth_(depth) {}

  [[nodiscard]] std::size_t at() const { return at_; }
  void move_to(std::size_t at) { at_ = at; }
  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const;
  const Token& take();
  bool take_if(std::string_view word);

  /// One expression, or several with commas between them: a tuple.
  [[nodiscard]] Expression read_list();
  /// One expression, up to a comma or a token that cannot belong to it.
  [[nodiscard]] Expression read();

 private:
  [[nodiscard]] Expression read_operation();
  [[nodiscard]] Expression read_unary();
  [[nodiscard]] Expression read_atom();
  [[nodiscard]] Expression read_strings();
  [[nodiscard]] Expression read_group();
  [[nodiscard]] Expression read_braces();
  [[nodiscard]] Expression read_number();
  [[nodiscard]] Expression read_lambda();
  void read_arguments(Expression& call);
  void read_subscript(Expression& of);
  void read_items(std::string_view close, Expression& into);
  void add_pieces(const Token& string, Expression& joined);
  void add_field(Span field, Expression& joined);
  [[nodiscard]] bool is_end() const;

  const SourceFile& file_;
  std::span<const Token> tokens_;
  std::size_t at_ = 0;
  std::size_t depth_;
};

}  // namespace gpulint::python
