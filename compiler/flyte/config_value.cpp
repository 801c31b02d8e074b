#include "compiler/flyte/config_value.h"

#include <algorithm>
#include <utility>

namespace gpulint::flyte {

bool ConfigValue::is_empty() const {
  switch (kind) {
    case Kind::null:
      return true;
    case Kind::list:
      return items.empty();
    case Kind::map:
      return entries.empty();
    case Kind::string:
      return text.empty();
    case Kind::boolean:
    case Kind::integer:
    case Kind::unsigned_integer:
    case Kind::floating:
    case Kind::timestamp:
      return false;
  }
  return false;
}

const ConfigValue* ConfigValue::find(std::string_view key) const {
  const auto at = std::ranges::find(entries, key, &ConfigEntry::key);
  return at == entries.end() ? nullptr : &at->value;
}

ConfigValue* ConfigValue::find(std::string_view key) {
  return const_cast<ConfigValue*>(std::as_const(*this).find(key));
}

const ConfigValue* ConfigValue::find_path(std::initializer_list<std::string_view> keys) const {
  const ConfigValue* at = this;
  for (const std::string_view key : keys) {
    if (at != nullptr) at = at->find(key);
  }
  return at;
}

ConfigValue& ConfigValue::at_or_add(std::string_view key) {
  if (!is_map()) *this = make_map();
  if (ConfigValue* found = find(key)) return *found;
  entries.push_back(make_entry(key, {}));
  return entries.back().value;
}

void ConfigValue::set(std::string_view key, ConfigValue value, Node key_node) {
  ConfigValue& slot = at_or_add(key);
  slot = std::move(value);
  std::ranges::find(entries, key, &ConfigEntry::key)->key_node = key_node;
}

void ConfigValue::erase(std::string_view key) {
  std::erase_if(entries, [&](const ConfigEntry& entry) { return entry.key == key; });
}

ConfigValue make_string(std::string_view text, Node node) {
  ConfigValue value;
  value.kind = ConfigValue::Kind::string;
  value.text = text;
  value.node = node;
  return value;
}

ConfigValue make_integer(std::int64_t number, Node node) {
  ConfigValue value;
  value.kind = ConfigValue::Kind::integer;
  value.integer = number;
  value.floating = static_cast<double>(number);
  value.text = std::to_string(number);
  value.node = node;
  return value;
}

ConfigValue make_boolean(bool truth, Node node) {
  ConfigValue value;
  value.kind = ConfigValue::Kind::boolean;
  value.boolean = truth;
  value.text = truth ? "true" : "false";
  value.node = node;
  return value;
}

ConfigValue make_null(Node node) {
  ConfigValue value;
  value.node = node;
  return value;
}

ConfigValue make_list(std::vector<ConfigValue> items, Node node) {
  ConfigValue value;
  value.kind = ConfigValue::Kind::list;
  value.items = std::move(items);
  value.node = node;
  return value;
}

ConfigValue make_map(std::vector<ConfigEntry> entries, Node node) {
  ConfigValue value;
  value.kind = ConfigValue::Kind::map;
  value.entries = std::move(entries);
  value.node = node;
  return value;
}

ConfigEntry make_entry(std::string_view key, ConfigValue value, Node key_node) {
  ConfigEntry entry;
  entry.key = key;
  entry.weak_key = key;
  entry.key_node = key_node;
  entry.value = std::move(value);
  return entry;
}

}  // namespace gpulint::flyte
