#include "compiler/ir/read.h"

#include <charconv>
#include <optional>
#include <system_error>

#include "compiler/ir/scalar.h"

namespace gpulint {
namespace {

using Type = KubernetesScalar::Type;

/// Applies `convert` to a scalar of the wanted type; everything else finds its state here.
template <class T, class Convert>
[[nodiscard]] Field<T> read_scalar(Node node, Node where, Type wanted, Convert convert) {
  if (!node || node.is_null()) return Field<T>::absent(node ? node : where);
  if (node.is_opaque()) return Field<T>::opaque(node);
  if (!node.is_scalar()) return Field<T>::mistyped(node);
  const auto scalar = read_kubernetes_scalar(node);
  if (!scalar || scalar->type != wanted) return Field<T>::mistyped(node);
  return Field<T>::known(convert(*scalar), node);
}

/// `1e3` and `1.0` are the JSON numbers 1000 and 1, which typed readers take for integers.
[[nodiscard]] std::optional<std::int64_t> read_json_integer(Node node) {
  const auto scalar = read_kubernetes_scalar(node);
  if (!scalar || (scalar->type != Type::integer && scalar->type != Type::floating)) return {};
  std::int64_t value = 0;
  const char* const end = scalar->text.data() + scalar->text.size();
  const auto [stop, error] = std::from_chars(scalar->text.data(), end, value);
  if (error != std::errc{} || stop != end) return {};
  return value;
}

}  // namespace

Field<std::string> read_string(Node mapping, std::string_view key) {
  return read_scalar<std::string>(mapping.get(key), mapping, Type::string,
                                  [](const KubernetesScalar& s) { return s.text; });
}

Field<std::string> read_string(Node node) {
  return read_scalar<std::string>(node, node, Type::string,
                                  [](const KubernetesScalar& s) { return s.text; });
}

Field<std::int64_t> read_int(Node mapping, std::string_view key) {
  const Node node = mapping.get(key);
  if (!node || node.is_null()) return Field<std::int64_t>::absent(node ? node : mapping);
  if (node.is_opaque()) return Field<std::int64_t>::opaque(node);
  const auto value = node.is_scalar() ? read_json_integer(node) : std::nullopt;
  return value ? Field<std::int64_t>::known(*value, node) : Field<std::int64_t>::mistyped(node);
}

Field<bool> read_bool(Node mapping, std::string_view key) {
  return read_scalar<bool>(mapping.get(key), mapping, Type::boolean,
                           [](const KubernetesScalar& s) { return s.boolean; });
}

}  // namespace gpulint
