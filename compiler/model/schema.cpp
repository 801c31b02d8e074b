#include "compiler/model/schema.h"

#include <algorithm>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/ir/read.h"

namespace gpulint {
namespace {

[[nodiscard]] Schema schema_of(Schema::Type type) {
  Schema schema;
  schema.type = type;
  return schema;
}

/// Parses the notation of the fact tables, which is valid: any other character ends a name.
class Notation {
 public:
  explicit Notation(std::string_view text) : rest_(text) {}

  [[nodiscard]] Schema read_section() {
    Schema section = schema_of(Schema::Type::section);
    section.may_be_scalar = take('?');
    take('{');
    while (!rest_.empty() && !take('}')) {
      if (!take(' ')) section.fields.push_back(read_field());
    }
    return section;
  }

 private:
  [[nodiscard]] Schema::Field read_field() {
    Schema::Field field{.name = read_until("!:({[? }"), .schema = {}};
    field.is_required = take('!');
    field.schema = read_type();
    return field;
  }

  [[nodiscard]] Schema read_type() {
    if (take(':')) return scalar();
    if (take('(')) return words();
    if (take('[')) {
      Schema list = schema_of(Schema::Type::list);
      list.fields.push_back({.name = {}, .schema = read_section()});
      take(']');
      return list;
    }
    return rest_.starts_with('{') || rest_.starts_with('?') ? read_section() : Schema{};
  }

  [[nodiscard]] Schema scalar() {
    const char letter = rest_.front();
    rest_.remove_prefix(1);
    switch (letter) {
      case 's':
        return schema_of(Schema::Type::text);
      case 'b':
        return schema_of(Schema::Type::boolean);
      case 'i':
        return schema_of(Schema::Type::integer);
      case 'n':
        return schema_of(Schema::Type::number);
      default:
        return schema_of(Schema::Type::list);
    }
  }

  [[nodiscard]] Schema words() {
    Schema schema = schema_of(Schema::Type::word);
    do {
      schema.words.push_back(read_until("|)"));
    } while (take('|'));
    take(')');
    return schema;
  }

  [[nodiscard]] std::string read_until(std::string_view ends) {
    const std::string_view name = rest_.substr(0, rest_.find_first_of(ends));
    rest_.remove_prefix(name.size());
    return std::string(name);
  }

  bool take(char letter) {
    if (!rest_.starts_with(letter)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view rest_;
};

[[nodiscard]] bool is_true(Node node) { return node.text() == "true"; }

[[nodiscard]] Schema read_object(Node open_api) {
  const Node properties = open_api.get("properties");
  const bool keeps = is_true(open_api.get("x-kubernetes-preserve-unknown-fields")) ||
                     open_api.get("additionalProperties");
  if (keeps || !properties.is_mapping()) return {};
  Schema section = schema_of(Schema::Type::section);
  for (const Node::Entry& entry : properties.fields()) {
    section.fields.push_back(
        {.name = std::string(entry.key.text()), .schema = read_schema(entry.value)});
  }
  for (const Node name : open_api.get("required").items()) {
    if (properties.at(name.text(), "default")) continue;
    for (Schema::Field& field : section.fields) {
      field.is_required = field.is_required || field.name == name.text();
    }
  }
  return section;
}

[[nodiscard]] Schema read_text(Node open_api) {
  const std::vector<Node> words = open_api.get("enum").items();
  if (words.empty()) return schema_of(Schema::Type::text);
  Schema schema = schema_of(Schema::Type::word);
  for (const Node word : words) schema.words.emplace_back(word.text());
  return schema;
}

}  // namespace

const Schema* Schema::find(std::string_view name) const {
  const auto found = std::ranges::find(fields, name, &Field::name);
  return type != Type::section || found == fields.end() ? nullptr : &found->schema;
}

Schema parse_schema(std::string_view text) { return Notation(text).read_section(); }

Schema read_schema(Node open_api) {
  if (is_true(open_api.get("x-kubernetes-int-or-string"))) return {};
  const std::string_view type = open_api.get("type").text();
  if (type == "object") return read_object(open_api);
  if (type == "string") return read_text(open_api);
  if (type == "boolean") return schema_of(Schema::Type::boolean);
  if (type == "integer") return schema_of(Schema::Type::integer);
  if (type == "number") return schema_of(Schema::Type::number);
  if (type != "array") return {};
  Schema list = schema_of(Schema::Type::list);
  list.fields.push_back({.name = {}, .schema = read_schema(open_api.get("items"))});
  return list;
}

}  // namespace gpulint
