#include "compiler/ir/read.h"

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
  return read_scalar<std::int64_t>(mapping.get(key), mapping, Type::integer,
                                   [](const KubernetesScalar& s) { return s.integer; });
}

Field<bool> read_bool(Node mapping, std::string_view key) {
  return read_scalar<bool>(mapping.get(key), mapping, Type::boolean,
                           [](const KubernetesScalar& s) { return s.boolean; });
}

}  // namespace gpulint
