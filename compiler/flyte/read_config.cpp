#include "compiler/flyte/read_config.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "compiler/flyte/go_scalar.h"
#include "compiler/ir/scalar.h"

namespace gpulint::flyte {
namespace {

/// Collections nested deeper than this read as null: only aliases of aliases get there.
constexpr int max_depth = 256;

enum class Dialect : std::uint8_t { go, helm };

class Reader {
 public:
  explicit Reader(Dialect dialect) : dialect_(dialect) {}

  [[nodiscard]] ReadConfig read(Node node) {
    ReadConfig result;
    result.value = read_value(node, 0);
    result.problems = std::move(problems_);
    return result;
  }

 private:
  [[nodiscard]] ConfigValue read_value(Node node, int depth);
  [[nodiscard]] ConfigValue read_scalar(Node node);
  [[nodiscard]] ConfigValue read_list(Node node, int depth);
  [[nodiscard]] ConfigValue read_map(Node node, int depth);
  [[nodiscard]] ConfigEntry read_key(Node key);
  void check_duplicates(Node mapping);
  [[nodiscard]] bool count_decode(Node node);
  void fail(Node node, std::string message) { problems_.push_back({{}, std::move(message), node}); }

  Dialect dialect_;
  std::vector<ConfigProblem> problems_;
  std::int64_t decodes_ = 0;
};

/// yaml.v3's limit for alias bombs: the share of values from aliases may be 99 % of up to 400,000,
/// falling to 10 % of four million. Helm's parser has the same limit.
bool Reader::count_decode(Node node) {
  constexpr double low = 400'000;
  constexpr double high = 4'000'000;
  if (++decodes_ <= 1000) return true;
  const auto total = static_cast<double>(decodes_);
  const auto own = static_cast<double>(node.document()->nodes.size());
  const double share = std::clamp((total - low) / (high - low), 0.0, 1.0);
  return (total - own) / total <= 0.99 - 0.89 * share;
}

ConfigValue Reader::read_value(Node node, int depth) {
  if (!problems_.empty() || depth > max_depth) return make_null(node);
  if (node && !count_decode(node)) {
    fail(node, "document contains excessive aliasing");
    return make_null(node);
  }
  const Node target = node.resolved();
  if (target.is_mapping()) return read_map(target, depth + 1);
  if (target.is_sequence()) return read_list(target, depth + 1);
  return target.is_scalar() ? read_scalar(target) : make_null(node);
}

[[nodiscard]] ConfigValue::Kind kind_of(GoScalar::Type type) {
  using Kind = ConfigValue::Kind;
  switch (type) {
    case GoScalar::Type::null:
      return Kind::null;
    case GoScalar::Type::boolean:
      return Kind::boolean;
    case GoScalar::Type::integer:
      return Kind::integer;
    case GoScalar::Type::unsigned_integer:
      return Kind::unsigned_integer;
    case GoScalar::Type::floating:
      return Kind::floating;
    case GoScalar::Type::timestamp:
      return Kind::timestamp;
    case GoScalar::Type::string:
      return Kind::string;
  }
  return Kind::null;
}

[[nodiscard]] ConfigValue value_of(GoScalar scalar, Node node) {
  ConfigValue value;
  value.kind = kind_of(scalar.type);
  value.boolean = scalar.boolean;
  value.integer = scalar.integer;
  value.floating = scalar.floating;
  value.text = std::move(scalar.text);
  value.node = node;
  value.opaque = node.is_opaque();
  return value;
}

/// A scalar that Helm read: Flyte reads Helm's output, where numbers and booleans are printed
/// again, and strings stay strings, except octals that only YAML 1.2 knows (`0o17`).
[[nodiscard]] ConfigValue helm_value_of(const KubernetesScalar& scalar, Node node) {
  using Type = KubernetesScalar::Type;
  if (scalar.type != Type::string) return value_of(resolve_plain(scalar.text), node);
  GoScalar text;
  text.text = scalar.text;
  if (scalar.text.starts_with("0o") || scalar.text.starts_with("-0o")) {
    text = resolve_plain(scalar.text);
  }
  return value_of(std::move(text), node);
}

ConfigValue Reader::read_scalar(Node node) {
  if (dialect_ == Dialect::helm) {
    const auto scalar = read_kubernetes_scalar(node);
    if (scalar) {
      return scalar->type == KubernetesScalar::Type::null ? make_null(node)
                                                          : helm_value_of(*scalar, node);
    }
  } else if (auto scalar = read_go_scalar(node)) {
    return value_of(*std::move(scalar), node);
  }
  fail(node, fmt::format("cannot decode `{}` as the type of its tag", node.text()));
  return make_null(node);
}

ConfigValue Reader::read_list(Node node, int depth) {
  ConfigValue list = make_list({}, node);
  list.items.reserve(node.size());
  for (const Node item : node.children()) list.items.push_back(read_value(item, depth));
  return list;
}

/// yaml.v3 compares keys by their text before it resolves them.
void Reader::check_duplicates(Node mapping) {
  std::unordered_map<std::string_view, Node> first;
  for (const Node::Entry& entry : mapping.entries()) {
    const auto [at, is_new] = first.try_emplace(entry.key.text(), entry.key);
    if (is_new || at->second.kind() != entry.key.kind()) continue;
    fail(entry.key, fmt::format("mapping key \"{}\" already defined", entry.key.text()));
  }
}

ConfigEntry Reader::read_key(Node key) {
  if (dialect_ == Dialect::helm) {
    const auto text = read_kubernetes_key(key);
    return make_entry(text ? *text : key.text(), {}, key);
  }
  const ConfigValue value = key.is_scalar() ? read_scalar(key) : make_string(key.text(), key);
  ConfigEntry entry = make_entry(value.is_null() ? "<nil>" : value.text, {}, key);
  entry.is_string_key = value.is_string();
  if (value.is_null()) entry.weak_key.clear();
  if (value.kind == ConfigValue::Kind::boolean) entry.weak_key = value.boolean ? "1" : "0";
  return entry;
}

ConfigValue Reader::read_map(Node node, int depth) {
  ConfigValue map = make_map({}, node);
  if (dialect_ == Dialect::go) check_duplicates(node);
  std::unordered_map<std::string, std::size_t> seen;
  for (const Node::Entry& field : node.fields()) {
    if (!problems_.empty()) break;
    ConfigEntry entry = read_key(field.key);
    entry.value = read_value(field.value, depth);
    map.has_odd_keys = map.has_odd_keys || !entry.is_string_key;
    const auto [at, is_new] = seen.try_emplace(entry.key, map.entries.size());
    if (is_new) {
      map.entries.push_back(std::move(entry));
    } else {
      map.entries[at->second] = std::move(entry);
    }
  }
  return map;
}

}  // namespace

ReadConfig read_go_yaml(Node node) { return Reader(Dialect::go).read(node); }

ReadConfig read_go_yaml(const Document& document) {
  if (!document.errors.empty()) {
    ReadConfig result;
    result.problems.push_back({{}, "yaml: " + document.errors.front().message, root(document)});
    return result;
  }
  ReadConfig result = read_go_yaml(root(document));
  if (!result.value.is_map() && !result.value.is_null()) {
    result.problems.push_back({{}, std::string(no_mapping), root(document)});
  }
  return result;
}

ReadConfig read_helm_yaml(Node node) { return Reader(Dialect::helm).read(node); }

}  // namespace gpulint::flyte
