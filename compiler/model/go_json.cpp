#include "compiler/model/go_json.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "compiler/ir/scalar.h"

namespace gpulint {
namespace {

using Type = KubernetesScalar::Type;

/// Applies `convert` (scalar → optional<T>) to scalars; sets the state for everything else.
template <class T, class Convert>
[[nodiscard]] Field<T> decode(Node node, Convert convert) {
  if (!node) return Field<T>::absent(node);
  if (node.is_opaque()) return Field<T>::opaque(node);
  if (!node.is_scalar()) return Field<T>::mistyped(node);
  const auto scalar = read_kubernetes_scalar(node);
  if (scalar && scalar->type == Type::null) return Field<T>::absent(node);
  const std::optional<T> value = scalar ? convert(*scalar) : std::nullopt;
  return value ? Field<T>::known(*value, node) : Field<T>::mistyped(node);
}

}  // namespace

Field<std::string> decode_string(Node node) {
  return decode<std::string>(node, [](const KubernetesScalar& scalar) {
    return scalar.type == Type::string ? std::optional(scalar.text) : std::nullopt;
  });
}

Field<std::int64_t> decode_int(Node node) {
  return decode<std::int64_t>(
      node, [](const KubernetesScalar& scalar) -> std::optional<std::int64_t> {
        if (scalar.type != Type::integer && scalar.type != Type::floating) return std::nullopt;
        std::int64_t value = 0;
        const char* const end = scalar.text.data() + scalar.text.size();
        const auto [stop, error] = std::from_chars(scalar.text.data(), end, value);
        if (error != std::errc{} || stop != end) return std::nullopt;
        return value;
      });
}

Field<bool> decode_bool(Node node) {
  return decode<bool>(node, [](const KubernetesScalar& scalar) {
    return scalar.type == Type::boolean ? std::optional(scalar.boolean) : std::nullopt;
  });
}

bool is_json_null(Node node) {
  if (!node.is_scalar() || node.is_opaque()) return false;
  const auto scalar = read_kubernetes_scalar(node);
  return scalar && scalar->type == Type::null;
}

bool is_json_number(Node node) {
  if (!node.is_scalar() || node.is_opaque()) return false;
  const auto scalar = read_kubernetes_scalar(node);
  return scalar && (scalar->type == Type::integer || scalar->type == Type::floating);
}

Node find_unreadable(Node root) {
  Node found;
  walk(root, [&](Node node) {
    if (found || node.is_opaque()) return;
    for (const Node::Entry& entry : node.entries()) {
      const Node key = entry.key.resolved();
      if (found || key.is_opaque()) continue;
      if (!key.is_scalar() || !read_kubernetes_key(key)) found = entry.key;
    }
    const bool is_key = node.parent().is_mapping() && !node.key();
    if (node.is_scalar() && !is_key && !read_kubernetes_scalar(node)) found = node;
  });
  return found;
}

bool is_go_duration(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text == "0") return true;
  constexpr std::string_view units[] = {"ns", "us", "µs", "μs", "ms", "s", "m", "h"};
  constexpr std::string_view digits = "0123456789.";
  if (text.empty()) return false;
  while (!text.empty()) {
    const std::size_t number = std::min(text.find_first_not_of(digits), text.size());
    const std::string_view written = text.substr(0, number);
    const bool has_digit = written.find_first_not_of('.') != std::string_view::npos;
    if (!has_digit || written.find('.') != written.rfind('.')) return false;
    text.remove_prefix(number);
    const std::size_t unit = std::min(text.find_first_of(digits), text.size());
    if (std::ranges::find(units, text.substr(0, unit)) == std::end(units)) return false;
    text.remove_prefix(unit);
  }
  return true;
}

std::vector<JsonMember> decode_object(Node mapping) {
  std::vector<JsonMember> members;
  for (const Node::Entry& entry : mapping.fields()) {
    JsonMember member{.key = {}, .key_node = entry.key, .value = entry.value};
    member.opaque_key = entry.key.is_opaque();
    member.key = read_kubernetes_key(entry.key).value_or(std::string(entry.key.text()));
    members.push_back(std::move(member));
  }
  return members;
}

}  // namespace gpulint
