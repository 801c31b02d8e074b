#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compiler/cel/functions.h"
#include "compiler/cel/value.h"

namespace gpulint::cel {

using Index = std::uint32_t;  ///< Index of an Expression in its Program.

/// A part of a program. Facts: the CEL language definition, as cel-go reads it.
struct Expression {
  enum class Kind : std::uint8_t {
    literal,
    identifier,  ///< `name`.
    select,      ///< operands[0].name
    present,     ///< has(operands[0].name)
    index,       ///< operands[0][operands[1]]
    call,        ///< `name`, or `_+_` and so on for operators; a member's receiver comes first.
    list,
    map,  ///< Key, value, key, value …
    all,
    exists,
    exists_one,  ///< Range, condition.
    transform,   ///< Range, expression, perhaps a condition in between.
    filter,      ///< Range, condition.
    bind,        ///< Value, expression.
    opt_map,
    opt_flat_map  ///< Optional, expression.
  };
  Kind kind = Kind::literal;
  bool is_optional = false;  ///< `.?name`, `[?key]`.
  bool is_member = false;    ///< For calls.
  std::string name;          ///< Of the variable, for a macro.
  Value literal;
  const Function* function = nullptr;  ///< For calls; null: not supported here.
  /// For `matches` with a constant: the compiled expression; null: RE2 rejects it.
  std::shared_ptr<const Regex> regex;
  std::vector<Index> operands;
  std::size_t begin = 0;  ///< In the text.
  std::size_t end = 0;
  std::uint32_t depth = 1;
};

/// How much of a text was understood.
enum class Understood : std::uint8_t {
  fully,
  open,    ///< Valid or not, it uses more of CEL than is supported here.
  invalid  ///< The API server rejects it.
};

/// Why a text was not understood.
struct Complaint {
  Understood understood = Understood::fully;
  std::string text;    ///< Why it is invalid or not supported.
  std::size_t at = 0;  ///< Where in the text of the selector.
};

struct Program {
  Complaint complaint;
  std::vector<Expression> nodes;
  Index root = 0;
};

/// Longer texts are unknown: Kubernetes accepts no more (CELSelectorExpressionMaxLength).
inline constexpr std::size_t longest_text = 10UL * 1024;
/// Deeper nesting is unknown: cel-go's own limit counts differently, and is higher.
inline constexpr std::uint32_t deepest = 60;

[[nodiscard]] Program parse(const std::string& text);

}  // namespace gpulint::cel
