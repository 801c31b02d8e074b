#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/cel/value.h"

namespace gpulint::cel {

struct Token {
  enum class Kind : std::uint8_t { end, identifier, literal, symbol, unread, invalid };
  Kind kind = Kind::end;
  std::string text;  ///< An identifier's or symbol's text; for `invalid`, why.
  Value literal;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The tokens of a text; the last is `end`, or the first that cannot be read. `unread`: valid or
/// not, it is not supported here.
[[nodiscard]] std::vector<Token> tokenize(std::string_view text);

}  // namespace gpulint::cel
