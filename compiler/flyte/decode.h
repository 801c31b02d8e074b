#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compiler/flyte/config_value.h"
#include "compiler/flyte/read_config.h"
#include "compiler/model/settings.h"

namespace gpulint::flyte {

/// The Go type of a configuration value, as text: `bool`, `string`, `int`, `int32`, `int64`,
/// `quantity`, `duration`, `any`, `*T`, `[]T`, `map:T` (string keys), or the name of a struct.
using GoType = std::string_view;

struct GoField {
  std::string_view name;  ///< The key in YAML, in its declared spelling.
  GoType type;
  bool omit_empty = false;  ///< Not shown if it has its zero value.
  /// An embedded struct: the Kubernetes API has its fields in place, Flyte's configuration decoder
  /// requires them below the struct's name.
  bool is_inline = false;
};

struct GoStruct {
  std::string_view name;
  std::vector<GoField> fields;  ///< In declared order.
};

/// The structs that Flyte's configuration decodes into, including those of the Kubernetes API.
class TypeTable {
 public:
  /// The types of one version; an unknown version has the fields of both.
  explicit TypeTable(FlyteVersion version);

  /// The struct with this name; null for other types.
  [[nodiscard]] const GoStruct* find(GoType type) const;

 private:
  std::unordered_map<std::string_view, GoStruct> structs_;
};

/// A key that its struct does not have. Flyte ignores it, or rejects it in strict mode.
struct UnknownKey {
  std::string path;  ///< As Flyte names it: `plugins.k8s.default-tolerations[0].foo`.
  std::string key;   ///< Its last part.
  GoType type;       ///< The struct without this key; empty above the sections.
  Node key_node;
  Node value;
};

struct Decoded {
  std::vector<UnknownKey> unknown_keys;
  std::vector<ConfigProblem> problems;  ///< Non-empty: Flyte does not start.
};

/// Decodes settings into a value of a Go type, as mapstructure 2.4 does with Flyte's hooks: field
/// names in any letter case, weak typing, single values instead of lists, lists of mappings instead
/// of maps.
class Decoder {
 public:
  Decoder(const TypeTable& types, Decoded& report) : types_(types), report_(report) {}

  /// `out` contains the defaults, and afterwards the result: a struct is a map of its set fields.
  /// `path` names `in` in reports.
  void decode(const std::string& path, const ConfigValue& in, GoType type, ConfigValue& out);

 private:
  void decode_bool(const std::string& path, const ConfigValue& in, ConfigValue& out);
  void decode_string(const std::string& path, const ConfigValue& in, ConfigValue& out);
  void decode_int(const std::string& path, const ConfigValue& in, int bits, ConfigValue& out);
  void decode_quantity(const std::string& path, const ConfigValue& in, ConfigValue& out);
  void decode_duration(const std::string& path, const ConfigValue& in, ConfigValue& out);
  void decode_list(const std::string& path, const ConfigValue& in, GoType item, ConfigValue& out);
  void decode_map(const std::string& path, const ConfigValue& in, GoType item, ConfigValue& out);
  void decode_struct(const std::string& path, const ConfigValue& in, const GoStruct& structure,
                     ConfigValue& out);
  void decode_opaque_struct(const std::string& path, const ConfigValue& in,
                            std::string_view known_field);
  void fail(const std::string& path, const ConfigValue& in, std::string message);

  const TypeTable& types_;
  Decoded& report_;
};

}  // namespace gpulint::flyte
