#include "compiler/flyte/decode.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/flyte/go_scalar.h"
#include "compiler/model/quantity.h"

namespace gpulint::flyte {
namespace {

struct GoFieldRow {
  std::string_view structure;
  GoField field;
  FlyteVersion version;  ///< Unknown: both versions have it.
};

#include "tables/flyte_types.inc"

using Kind = ConfigValue::Kind;

/// mapstructure's name for the kind of a value, for its messages.
[[nodiscard]] std::string_view kind_name(const ConfigValue& value) {
  switch (value.kind) {
    case Kind::null:
      return "nil";
    case Kind::boolean:
      return "bool";
    case Kind::integer:
      return "int";
    case Kind::unsigned_integer:
      return "uint64";
    case Kind::floating:
      return "float64";
    case Kind::string:
      return "string";
    case Kind::timestamp:
      return "time.Time";
    case Kind::list:
      return "slice";
    case Kind::map:
      return "map";
  }
  return "";
}

[[nodiscard]] bool is_number(const ConfigValue& value) {
  return value.kind == Kind::integer || value.kind == Kind::unsigned_integer ||
         value.kind == Kind::floating;
}

/// The text of a scalar with weak typing; nullopt if Flyte rejects it.
[[nodiscard]] std::optional<std::string> weak_text(const ConfigValue& value) {
  if (value.is_string() || is_number(value)) return value.text;
  if (value.kind == Kind::boolean) return value.boolean ? "1" : "0";
  return std::nullopt;
}

[[nodiscard]] ConfigValue zero(GoType type, Node node) {
  if (type == "bool") return make_boolean(false, node);
  if (type == "string" || type == "quantity" || type == "duration") {
    return make_string(type == "quantity" ? "0" : type == "duration" ? "0s" : "", node);
  }
  if (type.starts_with("int")) return make_integer(0, node);
  const bool is_nil =
      type == "any" || type.starts_with('*') || type.starts_with("[]") || type.starts_with("map:");
  return is_nil ? make_null(node) : make_map({}, node);
}

/// Flyte's sliceToMapHook: a list of mappings becomes one mapping, with the last of equal keys;
/// nullopt if an item is not a mapping.
[[nodiscard]] std::optional<ConfigValue> merge_items(const ConfigValue& list) {
  if (!std::ranges::all_of(list.items, &ConfigValue::is_map)) return std::nullopt;
  ConfigValue map = make_map({}, list.node);
  std::unordered_map<std::string, std::size_t> seen;
  for (const ConfigValue& item : list.items) {
    for (const ConfigEntry& entry : item.entries) {
      ConfigEntry named = make_entry(entry.key, entry.value, entry.key_node);
      const auto [at, is_new] = seen.try_emplace(entry.key, map.entries.size());
      if (is_new) {
        map.entries.push_back(std::move(named));
      } else {
        map.entries[at->second] = std::move(named);
      }
    }
  }
  return map;
}

/// The entry for a field: spelt exactly, else the last one in another letter case.
[[nodiscard]] const ConfigEntry* find_field(const ConfigValue& map, std::string_view name) {
  const ConfigEntry* found = nullptr;
  for (const ConfigEntry& entry : map.entries) {
    if (!entry.is_string_key) continue;
    if (entry.key == name) return &entry;
    if (equal_fold(entry.key, name)) found = &entry;
  }
  return found;
}

[[nodiscard]] std::string field_path(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

}  // namespace

TypeTable::TypeTable(FlyteVersion version) {
  for (const GoFieldRow& row : go_fields) {
    const bool is_known = version != FlyteVersion::unknown && row.version != FlyteVersion::unknown;
    if (is_known && row.version != version) continue;
    GoStruct& structure = structs_[row.structure];
    structure.name = row.structure;
    structure.fields.push_back(row.field);
  }
}

const GoStruct* TypeTable::find(GoType type) const {
  const auto at = structs_.find(type);
  return at == structs_.end() ? nullptr : &at->second;
}

void Decoder::fail(const std::string& path, const ConfigValue& in, std::string message) {
  if (!in.opaque) report_.problems.push_back({path, std::move(message), in.node});
}

void Decoder::decode(const std::string& path, const ConfigValue& in, GoType type,
                     ConfigValue& out) {
  if (in.is_null()) {
    out = zero(type, in.node);
  } else if (in.opaque && type != "string" && !in.is_collection()) {
    out = zero(type, in.node);
    out.opaque = true;
  } else if (type.starts_with('*')) {
    ConfigValue target = zero(type.substr(1), in.node);
    decode(path, in, type.substr(1), target);
    out = std::move(target);
  } else if (type.starts_with("[]")) {
    decode_list(path, in, type.substr(2), out);
  } else if (type.starts_with("map:")) {
    decode_map(path, in, type.substr(4), out);
  } else if (type == "bool") {
    decode_bool(path, in, out);
  } else if (type == "string") {
    decode_string(path, in, out);
  } else if (type == "int32") {
    decode_int(path, in, 32, out);
  } else if (type.starts_with("int")) {
    decode_int(path, in, 64, out);
  } else if (type == "quantity") {
    decode_quantity(path, in, out);
  } else if (type == "duration") {
    decode_duration(path, in, out);
  } else if (const GoStruct* structure = types_.find(type)) {
    decode_struct(path, in, *structure, out);
  } else {
    out = in;
  }
}

void Decoder::decode_bool(const std::string& path, const ConfigValue& in, ConfigValue& out) {
  std::optional<bool> value;
  if (in.kind == Kind::boolean) value = in.boolean;
  if (is_number(in)) value = in.floating != 0;
  if (in.is_string()) value = in.text.empty() ? false : parse_go_bool(in.text);
  if (!value) return fail(path, in, fmt::format("expected a bool, got {}", kind_name(in)));
  out = make_boolean(*value, in.node);
}

void Decoder::decode_string(const std::string& path, const ConfigValue& in, ConfigValue& out) {
  const auto text = weak_text(in);
  if (!text) return fail(path, in, fmt::format("expected a string, got {}", kind_name(in)));
  out = make_string(*text, in.node);
  out.opaque = in.opaque;
}

void Decoder::decode_int(const std::string& path, const ConfigValue& in, int bits,
                         ConfigValue& out) {
  std::optional<std::int64_t> value;
  if (in.kind == Kind::integer) value = in.integer;
  if (in.kind == Kind::floating && std::abs(in.floating) < 9.2e18) {
    value = static_cast<std::int64_t>(in.floating);
  }
  if (in.kind == Kind::boolean) value = in.boolean ? 1 : 0;
  if (in.is_string()) value = in.text.empty() ? 0 : parse_go_int(in.text, bits);
  if (in.kind == Kind::unsigned_integer || (in.kind == Kind::floating && !value)) {
    value = std::numeric_limits<std::int64_t>::min();  // Go wraps around silently.
  }
  if (!value) return fail(path, in, fmt::format("cannot read an integer from {}", kind_name(in)));
  out = make_integer(bits == 32 ? static_cast<std::int32_t>(*value) : *value, in.node);
}

/// Quantity and Duration decode from JSON. If that fails, mapstructure treats them as an ordinary
/// struct: it silently ignores mappings and dates, and rejects everything else.
void Decoder::decode_quantity(const std::string& path, const ConfigValue& in, ConfigValue& out) {
  if (in.is_string() || is_number(in)) {
    if (const auto quantity = Quantity::parse(in.text)) {
      out = make_string(quantity->to_string(), in.node);
      return;
    }
    const std::string shown = fmt::format("`{}` is not a quantity", in.text);
    return fail(path, in, shown);
  }
  decode_opaque_struct(path, in, "Format");
}

void Decoder::decode_duration(const std::string& path, const ConfigValue& in, ConfigValue& out) {
  if (is_number(in) && std::abs(in.floating) < 9.2e18) {
    out = make_string(format_go_duration(static_cast<std::int64_t>(in.floating)), in.node);
    return;
  }
  if (in.is_string()) {
    const auto duration = in.text.empty() ? 0 : parse_go_duration(in.text);
    if (!duration) return fail(path, in, fmt::format("`{}` is not a duration", in.text));
    out = make_string(format_go_duration(*duration), in.node);
    return;
  }
  decode_opaque_struct(path, in, "Duration");
}

void Decoder::decode_opaque_struct(const std::string& path, const ConfigValue& in,
                                   std::string_view known_field) {
  if (in.kind == Kind::timestamp) return;
  if (!in.is_map()) {
    return fail(path, in, fmt::format("expected a map or struct, got \"{}\"", kind_name(in)));
  }
  const ConfigEntry* known = find_field(in, known_field);
  for (const ConfigEntry& entry : in.entries) {
    if (&entry == known) continue;
    report_.unknown_keys.push_back(
        {field_path(path, entry.key), entry.key, {}, entry.key_node, entry.value.node});
  }
}

void Decoder::decode_list(const std::string& path, const ConfigValue& in, GoType item,
                          ConfigValue& out) {
  std::vector<ConfigValue> items;
  if (in.is_list()) {
    items = in.items;
  } else if (in.is_string() && item == "string") {  // mapstructure's StringToSliceHookFunc(",")
    for (std::size_t begin = 0; begin < in.text.size() + 1 && !in.text.empty();) {
      const std::size_t end = std::min(in.text.find(',', begin), in.text.size());
      items.push_back(make_string(in.text.substr(begin, end - begin), in.node));
      begin = end + 1;
    }
  } else if (!in.is_map() || !in.entries.empty()) {
    items.push_back(in);
  }
  out = make_list({}, in.node);
  out.items.reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    ConfigValue value = zero(item, items[i].node);
    decode(fmt::format("{}[{}]", path, i), items[i], item, value);
    out.items.push_back(std::move(value));
  }
}

void Decoder::decode_map(const std::string& path, const ConfigValue& in, GoType item,
                         ConfigValue& out) {
  if (in.kind == Kind::timestamp) {
    out = make_map({}, in.node);
    return;
  }
  if (in.is_list()) {
    if (const auto merged = merge_items(in)) return decode_map(path, *merged, item, out);
    for (std::size_t i = 0; i < in.items.size(); ++i) {
      const std::size_t before = report_.problems.size();
      decode(fmt::format("{}[{}]", path, i), in.items[i], fmt::format("map:{}", item), out);
      if (report_.problems.size() > before) return;
    }
    return;
  }
  if (!in.is_map()) {
    return fail(path, in, fmt::format("expected a map, got \"{}\"", kind_name(in)));
  }
  out = make_map({}, in.node);
  for (const ConfigEntry& entry : in.entries) {
    ConfigValue value = zero(item, entry.value.node);
    decode(fmt::format("{}[{}]", path, entry.weak_key), entry.value, item, value);
    out.entries.push_back(make_entry(entry.weak_key, std::move(value), entry.key_node));
  }
}

void Decoder::decode_struct(const std::string& path, const ConfigValue& in,
                            const GoStruct& structure, ConfigValue& out) {
  if (!in.is_map() && in.kind != Kind::timestamp) {
    return fail(path, in, fmt::format("expected a map or struct, got \"{}\"", kind_name(in)));
  }
  if (!out.is_map()) out = make_map();
  out.node = in.node;
  std::vector<const ConfigEntry*> taken;
  for (const GoField& field : structure.fields) {
    const ConfigEntry* entry = find_field(in, field.name);
    if (entry == nullptr) continue;
    taken.push_back(entry);
    ConfigValue* slot = out.find(field.name);
    if (slot == nullptr) {
      out.entries.push_back(make_entry(field.name, zero(field.type, entry->value.node)));
      slot = &out.entries.back().value;
    }
    decode(field_path(path, field.name), entry->value, field.type, *slot);
    std::ranges::find(out.entries, field.name, &ConfigEntry::key)->key_node = entry->key_node;
  }
  for (const ConfigEntry& entry : in.entries) {
    if (std::ranges::find(taken, &entry) != taken.end()) continue;
    report_.unknown_keys.push_back(
        {field_path(path, entry.key), entry.key, structure.name, entry.key_node, entry.value.node});
  }
}

}  // namespace gpulint::flyte
