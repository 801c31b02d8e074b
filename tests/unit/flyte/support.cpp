#include "tests/unit/flyte/support.h"

#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "frontend/embedded.h"
#include "frontend/yaml_parser.h"
#include "tests/harness/golden.h"

namespace gpulint::flyte::test {

const Document& Inputs::parse(std::string path, std::string text) {
  const FileId id = sources_.add(std::move(path), std::move(text));
  auto documents = parse_file(sources_.file(id));
  if (documents.empty()) documents.push_back(std::make_unique<Document>());
  documents_.push_back(std::move(documents.front()));
  return *documents_.back();
}

const Document& Inputs::embedded(const Document& host) {
  auto documents = embedded_documents(host, sources_.file(host.file));
  REQUIRE_FALSE(documents.empty());
  documents_.push_back(std::move(documents.front()));
  return *documents_.back();
}

ConfigFile Inputs::config_file(std::string name, std::string text) {
  ReadConfig read = read_go_yaml(parse(name, std::move(text)));
  return {std::move(name), std::move(read.value), std::move(read.problems)};
}

void for_each_golden(std::string_view name, const std::function<void(const Json&)>& run) {
  for (const Json& golden : gpulint::test::read_golden(name)) run(golden);
}

std::string read_python_recording(const std::string& name) {
  const std::ifstream file(GPULINT_SOURCE_DIR "/testdata/python/" + name, std::ios::binary);
  REQUIRE(file.good());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

FlyteVersion version_of(const Json& golden) {
  return golden.at("flyte") == "1" ? FlyteVersion::v1 : FlyteVersion::v2;
}

void Differences::add(const Json& golden, const std::string& detail) {
  texts_.push_back(fmt::format("{}: {}", golden.at("id").get<std::string>(), detail));
}

void Differences::require_none() const {
  for (const std::string& text : texts_) std::cerr << text << '\n';
  std::cerr << fmt::format("{}: {}/{}\n", name_, cases_ - texts_.size(), cases_);
  CHECK(cases_ > 0);
  CHECK(texts_.empty());
}

namespace {

[[nodiscard]] bool is_zero(const ConfigValue* value) {
  if (value == nullptr || value->is_empty()) return true;
  if (value->kind == ConfigValue::Kind::boolean) return !value->boolean;
  return value->kind == ConfigValue::Kind::integer && value->integer == 0;
}

[[nodiscard]] Json zero_json(GoType type, const TypeTable& types) {
  if (type == "bool") return false;
  if (type == "string") return "";
  if (type == "quantity") return "0";
  if (type == "duration") return "0s";
  if (type.starts_with("int")) return 0;
  if (types.find(type) != nullptr) return to_json(make_map(), type, types);
  return nullptr;
}

void add_fields(const ConfigValue& value, const GoStruct& structure, const TypeTable& types,
                Json& out) {
  for (const GoField& field : structure.fields) {
    const ConfigValue* given = value.find(field.name);
    const GoStruct* nested = types.find(field.type);
    if (field.is_inline && nested != nullptr) {
      const ConfigValue none = make_map();
      add_fields(given == nullptr ? none : *given, *nested, types, out);
      continue;
    }
    // Go's encoding/json never omits a struct.
    if (field.omit_empty && nested == nullptr && is_zero(given) &&
        !(field.type.starts_with('*') && given != nullptr && !given->is_null())) {
      continue;
    }
    const bool unset = given == nullptr || given->is_null();
    out[std::string(field.name)] =
        unset ? zero_json(field.type, types) : to_json(*given, field.type, types);
  }
}

}  // namespace

Json to_json(const ConfigValue& value, GoType type, const TypeTable& types) {
  if (type.starts_with('*')) {
    return value.is_null() ? Json(nullptr) : to_json(value, type.substr(1), types);
  }
  if (type.starts_with("[]")) {
    if (value.is_null()) return nullptr;
    Json list = Json::array();
    for (const ConfigValue& item : value.items) {
      list.push_back(item.is_null() ? zero_json(type.substr(2), types)
                                    : to_json(item, type.substr(2), types));
    }
    return list;
  }
  if (type.starts_with("map:")) {
    if (value.is_null()) return nullptr;
    Json map = Json::object();
    for (const ConfigEntry& entry : value.entries) {
      map[entry.key] = to_json(entry.value, type.substr(4), types);
    }
    return map;
  }
  if (const GoStruct* structure = types.find(type)) {
    Json out = Json::object();
    add_fields(value, *structure, types, out);
    return out;
  }
  if (value.is_null()) return zero_json(type, types);
  if (value.kind == ConfigValue::Kind::boolean) return value.boolean;
  if (value.kind == ConfigValue::Kind::integer) return value.integer;
  return value.text;
}

Json without_empty(const Json& json) {
  if (json.is_array()) {
    Json list = Json::array();
    for (const Json& item : json) list.push_back(without_empty(item));
    return list;
  }
  if (!json.is_object()) return json;
  std::map<std::string, Json> sorted;
  for (const auto& [key, item] : json.items()) {
    Json kept = without_empty(item);
    if (kept.is_null() || (kept.is_structured() && kept.empty())) continue;
    sorted[key] = std::move(kept);
  }
  Json out = Json::object();
  for (auto& [key, item] : sorted) out[key] = std::move(item);
  return out;
}

}  // namespace gpulint::flyte::test
