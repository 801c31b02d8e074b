#include "compiler/model/schema_problems.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/ir/scalar.h"

namespace gpulint {
namespace {

using Kind = SchemaProblem::Kind;
using Type = Schema::Type;
using ScalarType = KubernetesScalar::Type;

[[nodiscard]] std::string join(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

/// Whether the API server accepts the scalar for this type; null counts as absent.
[[nodiscard]] bool fits(ScalarType is, Type type) {
  switch (type) {
    case Type::text:
    case Type::word:
      return is == ScalarType::string;
    case Type::boolean:
      return is == ScalarType::boolean;
    case Type::integer:  // 1.0 is one
    case Type::number:
      return is == ScalarType::integer || is == ScalarType::floating;
    case Type::list:
    case Type::section:
      return false;
    case Type::open:
      break;
  }
  return true;
}

class Comparison {
 public:
  void compare(Node value, const Schema& schema, const std::string& path) {
    if (schema.type == Type::open || value.is_opaque() || value.is_null()) return;
    if (value.is_scalar()) return compare_scalar(value, schema, path);
    if (schema.type == Type::section && value.is_mapping()) {
      compare_section(value, schema, path);
    } else if (schema.type == Type::list && value.is_sequence()) {
      compare_items(value, schema, path);
    } else {
      add(Kind::wrong_type, value, schema, path);
    }
  }

  [[nodiscard]] std::vector<SchemaProblem> take() { return std::move(problems_); }

 private:
  void compare_scalar(Node value, const Schema& schema, const std::string& path) {
    const std::optional<KubernetesScalar> scalar = read_kubernetes_scalar(value);
    if (!scalar || schema.may_be_scalar) return;
    if (!fits(scalar->type, schema.type)) return add(Kind::wrong_type, value, schema, path);
    const bool is_listed = std::ranges::find(schema.words, scalar->text) != schema.words.end();
    if (schema.type == Type::word && !is_listed) add(Kind::unknown_word, value, schema, path);
  }

  void compare_section(Node value, const Schema& schema, const std::string& path) {
    for (const Node::Entry& entry : value.fields()) {
      if (entry.key.is_opaque()) continue;
      const std::string_view key = entry.key.text();
      const Schema* const field = schema.find(key);
      if (field == nullptr) {
        add(Kind::unknown_key, entry.key, schema, path);
      } else {
        compare(entry.value, *field, join(path, key));
      }
    }
    for (const Schema::Field& field : schema.fields) {
      if (field.is_required && !value.get(field.name)) {
        add(Kind::missing, value, field.schema, join(path, field.name));
      }
    }
  }

  void compare_items(Node value, const Schema& schema, const std::string& path) {
    if (schema.fields.empty()) return;
    std::size_t index = 0;
    for (const Node item : value.items()) {
      compare(item, schema.fields.front().schema, fmt::format("{}[{}]", path, index++));
    }
  }

  void add(Kind kind, Node at, const Schema& schema, const std::string& path) {
    problems_.push_back({.kind = kind, .at = at, .path = path, .schema = &schema});
  }

  std::vector<SchemaProblem> problems_;
};

void add_paths(const Schema& schema, std::string_view key, const std::string& path,
               std::vector<std::string>& paths) {
  if (schema.type != Type::section) return;
  for (const Schema::Field& field : schema.fields) {
    const std::string inner = join(path, field.name);
    if (field.name == key) paths.push_back(inner);
    add_paths(field.schema, key, inner, paths);
  }
}

/// The only key that begins with this one; empty if there are several.
[[nodiscard]] std::string_view longer_key(std::string_view key, const Schema& section) {
  std::string_view found;
  for (const Schema::Field& field : section.fields) {
    if (!field.name.starts_with(key)) continue;
    if (!found.empty()) return {};
    found = field.name;
  }
  return found;
}

}  // namespace

std::vector<SchemaProblem> find_schema_problems(Node value, const Schema& schema) {
  Comparison comparison;
  comparison.compare(value, schema, {});
  return comparison.take();
}

std::string_view meant_key(std::string_view key, const Schema& section) {
  const std::size_t limit = key.size() < 9 ? 1 : 2;
  if (key.size() < 4) return {};
  const std::string folded = to_lower(key);
  std::string_view best;
  std::size_t least = limit + 1;
  for (const Schema::Field& field : section.fields) {
    const std::size_t distance = edit_distance(folded, to_lower(field.name), limit);
    if (distance >= least) continue;
    least = distance;
    best = field.name;
  }
  return best.empty() && key.size() >= 9 ? longer_key(key, section) : best;
}

std::vector<std::string> paths_of_key(const Schema& schema, std::string_view key) {
  std::vector<std::string> paths;
  add_paths(schema, key, {}, paths);
  return paths;
}

std::string_view type_text(const Schema& schema) {
  switch (schema.type) {
    case Type::text:
    case Type::word:
      return "a string";
    case Type::boolean:
      return "a boolean";
    case Type::integer:
      return "an integer";
    case Type::number:
      return "a number";
    case Type::list:
      return "a list";
    case Type::section:
      return "a mapping";
    case Type::open:
      break;
  }
  return "anything";
}

}  // namespace gpulint
