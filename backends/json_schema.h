#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// A key of a mapping, as a JSON Schema shows it.
struct SchemaField {
  std::string name;
  /// `string`, `bool`, `int`, `int32`, `int64`, `quantity`, `duration`, `rule`, `any`, `a|b` (one
  /// of these words), `T/U` (either), `*T` (T or null), `[]T`, `map:T`, or the name of a struct;
  /// `rules:T` (a map by rule), `words:a|b` (one of these, or templated), `text` (a string alone).
  std::string type;
  std::string help;
  bool is_required = false;
};

/// A mapping with known keys.
struct SchemaStruct {
  std::string name;
  std::vector<SchemaField> fields;
  bool is_open = false;  ///< Other keys are allowed.
};

/// How the program that reads the file treats values and keys.
enum class SchemaReading : std::uint8_t {
  strict,  ///< gpulint.yaml: keys as spelt; a scalar instead of a list of one.
  weak,    ///< Flyte: keys in any letter case, scalars of any type, one mapping instead of a list
           ///< of one, a list of mappings instead of a map.
};

struct SchemaDocument {
  std::string title;
  std::string root;  ///< The struct of the whole file.
  std::vector<SchemaStruct> structs;
  SchemaReading reading = SchemaReading::strict;
  /// Values of type `rule`: the only ones, unless the file defines its own policies.
  std::vector<std::string> rules;
};

/// Writes a JSON Schema (draft 7, the best supported by editors).
void write_json_schema(const SchemaDocument& document, std::ostream& out);

}  // namespace gpulint
