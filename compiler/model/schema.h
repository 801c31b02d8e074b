#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/node.h"

namespace gpulint {

/// The allowed content of a place in a custom resource or in the values of a chart.
struct Schema {
  enum class Type : std::uint8_t { open, text, boolean, integer, number, word, list, section };
  struct Field;

  Type type = Type::open;
  bool may_be_scalar = false;      ///< For a section: some release has a plain value there.
  std::vector<std::string> words;  ///< For a word: all accepted words.
  std::vector<Field> fields;       ///< For a section: all its keys. For a list: its item, or none.

  /// The field of a section; null if it has none with this name.
  [[nodiscard]] const Schema* find(std::string_view name) const;
};

struct Schema::Field {
  std::string name;
  Schema schema;
  bool is_required =
      false;  ///< And it has no default, which the API server would set before it validates.
};

/// Reads the notation of the fact tables (facts/tables_operators.py): a section is `{key key …}`.
/// After a key follows `!` if it is required, then its type: nothing (any), `:s` `:b` `:i` `:n`
/// `:l`, `(a|b)`, `{…}`, `?{…}` or a list of sections `[{…}]`.
[[nodiscard]] Schema parse_schema(std::string_view text);

/// Reads an `openAPIV3Schema` of a CustomResourceDefinition, or a part of it. The type is `open`
/// for fields that keep unknown keys, that have free keys, or that accept several types.
[[nodiscard]] Schema read_schema(Node open_api);

}  // namespace gpulint
