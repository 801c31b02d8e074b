#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/node.h"

namespace gpulint::flyte {

struct ConfigEntry;

/// A value of a configuration as Go's parsers hold it, at any stage of loading: read from YAML,
/// merged, decoded into Flyte's structs. Every part has the node that it was written at; parts
/// built into Flyte or a chart have none.
struct ConfigValue {
  enum class Kind : std::uint8_t {
    null,
    boolean,
    integer,
    unsigned_integer,
    floating,
    string,
    timestamp,
    list,
    map
  };

  Kind kind = Kind::null;
  bool boolean = false;
  /// A template or placeholder: the value may become anything.
  bool opaque = false;
  /// A mapping with a key that is not a string (`1:`, `true:`), which Go stores in another type.
  bool has_odd_keys = false;
  std::int64_t integer = 0;
  double floating = 0;
  std::string text;  ///< For scalars: the value in Go's plain format.
  std::vector<ConfigValue> items;
  std::vector<ConfigEntry> entries;  ///< In document order; keys are unique, ignoring letter case.
  Node node;

  [[nodiscard]] bool is_null() const { return kind == Kind::null; }
  [[nodiscard]] bool is_list() const { return kind == Kind::list; }
  [[nodiscard]] bool is_map() const { return kind == Kind::map; }
  [[nodiscard]] bool is_string() const { return kind == Kind::string; }
  [[nodiscard]] bool is_collection() const { return is_list() || is_map(); }
  /// Null, or an empty list, map or text.
  [[nodiscard]] bool is_empty() const;

  /// The value of a map's key, spelt exactly; null if absent. Linear: for known small maps.
  [[nodiscard]] const ConfigValue* find(std::string_view key) const;
  [[nodiscard]] ConfigValue* find(std::string_view key);
  /// find() along several keys.
  [[nodiscard]] const ConfigValue* find_path(std::initializer_list<std::string_view> keys) const;
  /// The value of a key, added if absent. A value that is not a map first becomes an empty one.
  ConfigValue& at_or_add(std::string_view key);
  /// Sets a key and replaces its value.
  void set(std::string_view key, ConfigValue value, Node key_node = {});
  void erase(std::string_view key);
};

struct ConfigEntry {
  std::string key;
  /// The text that a weakly typed reader makes of a key that is not a string: `true` is `1`.
  std::string weak_key;
  bool is_string_key = true;
  Node key_node;
  ConfigValue value;
};

/// Shorthands for built-in values.
[[nodiscard]] ConfigValue make_string(std::string_view text, Node node = {});
[[nodiscard]] ConfigValue make_integer(std::int64_t value, Node node = {});
[[nodiscard]] ConfigValue make_boolean(bool value, Node node = {});
[[nodiscard]] ConfigValue make_null(Node node = {});
[[nodiscard]] ConfigValue make_list(std::vector<ConfigValue> items = {}, Node node = {});
[[nodiscard]] ConfigValue make_map(std::vector<ConfigEntry> entries = {}, Node node = {});
[[nodiscard]] ConfigEntry make_entry(std::string_view key, ConfigValue value, Node key_node = {});

}  // namespace gpulint::flyte
