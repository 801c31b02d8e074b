#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compiler/model/settings.h"

namespace gpulint::flyte {

/// The Go type of a configuration value, as text: `bool`, `string`, `int`, `int32`, `int64`,
/// `quantity`, `duration`, `any`, `*T`, `[]T`, `map:T` (string keys), or the name of a struct.
using GoType = std::string_view;

struct GoField {
  std::string_view name;  ///< The key in YAML, in its declared spelling.
  GoType type;
  bool omit_empty = false;  ///< Not shown where it has its zero value.
  /// An embedded struct: the Kubernetes API shows its fields in place, Flyte's configuration
  /// decoder wants them below the struct's name.
  bool is_inline = false;
};

struct GoStruct {
  std::string_view name;
  std::vector<GoField> fields;  ///< In declared order.
};

/// The structs that Flyte's configuration decodes into, those of the Kubernetes API included.
class TypeTable {
 public:
  /// The types of one version; an unknown version has the fields of both.
  explicit TypeTable(FlyteVersion version);

  /// The struct of that name; null for types that are none.
  [[nodiscard]] const GoStruct* find(GoType type) const;

 private:
  std::unordered_map<std::string_view, GoStruct> structs_;
};

}  // namespace gpulint::flyte
