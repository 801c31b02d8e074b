#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/base/span.h"

/// A Python source as far as it declares things: what is imported, assigned, decorated and called
/// with what. Made by frontend/python; nothing is evaluated.
namespace gpulint::python {

/// Whether a file is a Python source, by its name.
[[nodiscard]] inline bool is_source(std::string_view path) { return path.ends_with(".py"); }

/// A word of the source and its place.
struct Word {
  std::string text;
  Span span;
};

struct Expression {
  enum class Kind : std::uint8_t {
    opaque,     ///< Anything that is none of the others; `parts` are expressions within it.
    name,       ///< `text`
    attribute,  ///< `text` of `parts[0]`; `word` is the place of the attribute's own name.
    subscript,  ///< `parts[0]`, and in brackets `parts[1]`.
    call,       ///< `parts[0]`, the callee, with all other parts as arguments.
    string,     ///< `text`: decoded; adjacent pieces are joined.
    number,     ///< `text`: as written; a minus sign included.
    boolean,    ///< `text`: `True` or `False`.
    none,
    tuple,
    list,
    dict,     ///< Key, value, key, value; of `**other` the key is opaque with the text `**`.
    joined,   ///< What an f-string or `+` puts together.
    product,  ///< `a * b`.
    choice    ///< `a if b else c`: `a`, `b`, `c`, and so on if `c` is again a choice.
  };

  Kind kind = Kind::opaque;
  Span span;  ///< Brackets, quotes and prefixes included.
  std::string text;
  Span word;
  /// As an argument of a call: its keyword; `*` and `**` where it is unpacked; else empty.
  Word keyword;
  std::vector<Expression> parts;

  [[nodiscard]] bool is(Kind what) const { return kind == what; }
};

/// What a function is called with.
struct Parameter {
  std::string name;               ///< Empty for `*` alone: those after it have no position.
  std::string stars;              ///< `*` or `**` before it.
  std::vector<Expression> value;  ///< The default, if there is one.
};

struct Statement {
  enum class Kind : std::uint8_t {
    import,      ///< `import module as name`; without `as` the name is the first part of `module`.
    from,        ///< `from module import member as name`; the member may be `*`.
    assignment,  ///< Of one name; a value that is not known is opaque.
    change,      ///< `name.member = value`; of `name[…] = value` only the name is kept.
    function,
    type,       ///< A class.
    result,     ///< `return value`; opaque without a value.
    expression  ///< A call and the like, where `value` is what was called.
  };

  Kind kind = Kind::expression;
  Span span;  ///< Decorators and body included.
  Span
      header;  ///< Of functions and classes: from the first decorator to the end of the `def` line.
  Word name;   ///< That becomes known; the target of an assignment.
  std::string module;
  std::string member;
  std::uint32_t dots = 0;    ///< Before the module of a relative import.
  bool conditional = false;  ///< Is below `if`, `for`, `while`, `try` or `with`.
  Expression value;
  std::vector<Expression> decorators;
  std::vector<Expression> bases;
  std::vector<Parameter> parameters;
  std::vector<Statement> body;
};

struct Module {
  FileId file = 0;
  std::vector<Statement> statements;
  std::vector<Span> comments;  ///< From `#` to the end of the line, in order.
};

}  // namespace gpulint::python
