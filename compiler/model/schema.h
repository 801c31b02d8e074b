#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/node.h"

namespace gpulint {

/// What may stand somewhere in a custom resource or in the values of a chart.
struct Schema {
  enum class Type : std::uint8_t { open, text, boolean, integer, number, word, list, section };
  struct Field;

  Type type = Type::open;
  bool may_be_scalar = false;      ///< Of a section: some release has a plain value there.
  std::vector<std::string> words;  ///< Of a word: all that are taken.
  std::vector<Field> fields;  ///< Of a section: all its keys. Of a list: one, an item, or none.

  /// The field of a section; null where it has none of this name.
  [[nodiscard]] const Schema* find(std::string_view name) const;
};

struct Schema::Field {
  std::string name;
  Schema schema;
  bool is_required =
      false;  ///< And has no default, which the API server fills in before it judges.
};

/// Reads the notation of the fact tables (facts/tables_operators.py): a section is
/// `{key key …}`, a key has `!` behind it where it is required, then its type: nothing (open),
/// `:s` `:b` `:i` `:n` `:l`, `(a|b)`, `{…}`, `?{…}` or a list of sections `[{…}]`.
[[nodiscard]] Schema parse_schema(std::string_view text);

/// Reads an `openAPIV3Schema` of a CustomResourceDefinition, or a part of it. Open is what keeps
/// unknown fields, what has keys of the author's choice, and what takes more than one type.
[[nodiscard]] Schema read_schema(Node open_api);

}  // namespace gpulint
