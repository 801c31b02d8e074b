#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/python.h"
#include "frontend/python/expression_reader.h"

namespace gpulint::python {

/// Where a statement stands.
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
  /// Names that functions declare as the module's.
  [[nodiscard]] const std::vector<Word>& globals() const { return globals_; }

  /// Simple statements with semicolons between them, up to the end of their line.
  void read_line(Place place, std::vector<Statement>& into);
  void skip_line();
  [[nodiscard]] Word take_word();

  [[nodiscard]] bool is_line_end() const;
  /// Whether the last token that was taken is the word.
  [[nodiscard]] bool follows(std::string_view word) const;
  /// From a byte to the end of what was taken.
  [[nodiscard]] Span since(std::uint32_t begin) const;

  /// Notes that a name is given something that is not known.
  void add_unknown(const Word& name, Place place, std::vector<Statement>& into);
  /// Keeps an expression for the calls in it.
  void add_expression(std::uint32_t begin, Expression value, Place place,
                      std::vector<Statement>& into);

 private:
  [[nodiscard]] std::uint32_t last_end() const;
  void read_simple(Place place, std::vector<Statement>& into);
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

}  // namespace gpulint::python
