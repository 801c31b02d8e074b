#include "backends/json_schema.h"

#include <algorithm>
#include <cctype>

#include <nlohmann/json.hpp>

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

/// A pattern for the name in any letter case: `[aA][bB]-[cC]`.
[[nodiscard]] std::string any_case(std::string_view name) {
  std::string pattern;
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalpha(letter) != 0) {
      pattern += '[';
      pattern += static_cast<char>(std::tolower(letter));
      pattern += static_cast<char>(std::toupper(letter));
      pattern += ']';
    } else {
      pattern += c;  // keys contain letters, digits and dashes
    }
  }
  return pattern;
}

class Writer {
 public:
  explicit Writer(const SchemaDocument& document) : document_(document) {}

  [[nodiscard]] Json schema() const {
    Json definitions = Json::object();
    for (const SchemaStruct& structure : document_.structs) {
      definitions[structure.name] = struct_schema(structure);
    }
    Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                   {"title", document_.title}};
    const Json root = {{"$ref", "#/definitions/" + document_.root}};
    if (document_.rules.empty()) {
      schema.update(root);
    } else {
      definitions["KnownRule"] = {{"enum", document_.rules}};
      schema["allOf"] = Json::array(
          {root, {{"if", {{"not", own_policies()}}}, {"then", known_rules(document_.root)}}});
    }
    schema["definitions"] = std::move(definitions);
    return schema;
  }

 private:
  [[nodiscard]] bool is_weak() const { return document_.reading == SchemaReading::weak; }

  [[nodiscard]] Json struct_schema(const SchemaStruct& structure) const {
    Json properties = Json::object();
    Json required = Json::array();
    std::string spellings;
    for (const SchemaField& field : structure.fields) {
      Json one = type_schema(field.type);
      // next to `$ref`, draft 7 ignores every other key
      if (!field.help.empty() && one.contains("$ref")) one = {{"allOf", Json::array({one})}};
      if (!field.help.empty()) one["description"] = field.help;
      properties[field.name] = std::move(one);
      if (field.is_required) required.push_back(field.name);
      spellings += (spellings.empty() ? "" : "|") + any_case(field.name);
    }
    Json schema = {{"type", is_weak() ? Json({"object", "null"}) : Json("object")},
                   {"properties", std::move(properties)}};
    if (structure.is_open) return schema;
    if (is_weak()) schema["patternProperties"] = {{"^(" + spellings + ")$", Json::object()}};
    schema["additionalProperties"] = false;
    if (!required.empty()) schema["required"] = std::move(required);
    return schema;
  }

  [[nodiscard]] Json type_schema(std::string_view type) const {
    if (type.starts_with('*')) return type_schema(type.substr(1));
    if (type.starts_with("[]")) return list_schema(type.substr(2));
    if (type.starts_with("map:")) return map_schema(type.substr(4));
    if (type.starts_with("rules:")) return map_schema(type.substr(6));
    if (type.starts_with("words:")) return words_schema(type.substr(6));
    if (type == "text") return {{"type", {"string", "null"}}};
    if (type.find('/') != std::string_view::npos) return either_schema(type);
    if (type.find('|') != std::string_view::npos) return choice_schema(type);
    if (type == "rule") return rule_schema();
    if (std::ranges::find(document_.structs, type, &SchemaStruct::name) !=
        document_.structs.end()) {
      return {{"$ref", "#/definitions/" + std::string(type)}};
    }
    return scalar_schema(type);
  }

  [[nodiscard]] Json scalar_schema(std::string_view type) const {
    if (type == "any") return Json::object();
    if (type == "amounts") return map_schema("quantity");
    if (type == "quantity" || type == "duration") return {{"type", {"string", "number", "null"}}};
    if (type == "bool" && !is_weak()) return {{"type", {"boolean", "null"}}};
    if (type == "bool") return {{"type", {"boolean", "string", "number", "null"}}};
    return {{"type", {"string", "number", "boolean", "null"}}};
  }

  [[nodiscard]] Json list_schema(std::string_view item) const {
    Json one = type_schema(item);
    Json list = {{"type", "array"}, {"items", one}};
    return {{"anyOf", Json::array({std::move(list), std::move(one), {{"type", "null"}}})}};
  }

  [[nodiscard]] Json map_schema(std::string_view value) const {
    Json map = {{"type", {"object", "null"}}, {"additionalProperties", type_schema(value)}};
    if (!is_weak()) return map;
    Json list = {{"type", "array"}, {"items", map}};
    return {{"anyOf", Json::array({std::move(map), std::move(list)})}};
  }

  [[nodiscard]] Json either_schema(std::string_view types) const {
    Json all = Json::array();
    for (const std::string_view type : split(types, '/')) all.push_back(type_schema(type));
    return {{"anyOf", std::move(all)}};
  }

  /// Words that are numbers may be written as numbers.
  [[nodiscard]] static Json choice_schema(std::string_view words) {
    Json all = Json::array();
    for (const std::string_view word : split(words, '|')) {
      all.push_back(word);
      if (word.find_first_not_of("0123456789") == std::string_view::npos) {
        all.push_back(Json::parse(word));
      }
    }
    all.push_back(nullptr);
    return {{"enum", std::move(all)}};
  }

  /// One of the words, null, or a template.
  [[nodiscard]] static Json words_schema(std::string_view words) {
    Json known = Json::array({""});
    for (const std::string_view word : split(words, '|')) known.push_back(word);
    known.push_back(nullptr);
    const Json templated = {{"type", "string"}, {"pattern", "[{][{]"}};
    return {{"anyOf", Json::array({{{"enum", std::move(known)}}, templated})}};
  }

  /// Offers known ids and allows others: the user's own policies have ids too.
  [[nodiscard]] static Json rule_schema() {
    const Json known = {{"$ref", "#/definitions/KnownRule"}};
    return {{"anyOf", Json::array({known, {{"type", "string"}}})}};
  }

  /// A file with its own policies, at the top level or in a scope.
  [[nodiscard]] static Json own_policies() {
    const Json here = {{"required", {"policies"}}};
    const Json in_scope = {{"properties", {{"scopes", {{"contains", here}}}}},
                           {"required", {"scopes"}}};
    return {{"anyOf", Json::array({here, in_scope})}};
  }

  /// The keys of a struct that hold rules, none of them unknown; empty if it has no such keys.
  [[nodiscard]] Json known_rules(std::string_view structure) const {
    const auto found = std::ranges::find(document_.structs, structure, &SchemaStruct::name);
    if (found == document_.structs.end()) return Json::object();
    Json properties = Json::object();
    for (const SchemaField& field : found->fields) {
      Json known = known_in(field.type);
      if (!known.empty()) properties[field.name] = std::move(known);
    }
    return properties.empty() ? properties : Json({{"properties", std::move(properties)}});
  }

  [[nodiscard]] Json known_in(std::string_view type) const {
    const Json rule = {{"$ref", "#/definitions/KnownRule"}};
    if (type == "rule") return {{"anyOf", Json::array({rule, {{"type", {"array", "null"}}}})}};
    if (type.starts_with("rules:")) return {{"propertyNames", rule}};
    if (type.starts_with("[]")) {
      Json one = known_in(type.substr(2));
      if (one.contains("anyOf")) one["items"] = rule;  // a list, or one rule for a list of one
      return one.empty() || one.contains("items") ? one : Json({{"items", std::move(one)}});
    }
    if (!type.starts_with("map:")) return known_rules(type);
    Json value = known_in(type.substr(4));
    return value.empty() ? value : Json({{"additionalProperties", std::move(value)}});
  }

  const SchemaDocument& document_;
};

}  // namespace

void write_json_schema(const SchemaDocument& document, std::ostream& out) {
  out << Writer(document).schema().dump(2) << '\n';
}

}  // namespace gpulint
