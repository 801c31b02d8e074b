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
  bool is_open = false;  ///< Other keys are somebody else's.
};

/// How what reads the file takes values and keys.
enum class SchemaReading : std::uint8_t {
  strict,  ///< gpulint.yaml: keys as they are spelt, a scalar for a list of one.
  weak,    ///< Flyte: keys in any letter case, scalars for each other, one mapping for a list of
           ///< one, a list of mappings for a map.
};

struct SchemaDocument {
  std::string title;
  std::string root;  ///< The struct that the file is.
  std::vector<SchemaStruct> structs;
  SchemaReading reading = SchemaReading::strict;
  /// Where the type is `rule`: the only ones, unless the file has policies of its own.
  std::vector<std::string> rules;
};

/// Writes a JSON Schema (draft 7, which editors know best).
void write_json_schema(const SchemaDocument& document, std::ostream& out);

}  // namespace gpulint
