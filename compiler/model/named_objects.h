#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/field.h"
#include "compiler/ir/node.h"
#include "compiler/model/declared_kinds.h"
#include "compiler/model/objects.h"

namespace gpulint {

/// Names with their places; without a place if no object of the inputs has the name.
using Names = std::vector<Value<std::string>>;

[[nodiscard]] bool has_name(const Names& names, std::string_view name);

/// The objects of a scope that others refer to, by kind and name: of the kinds that
/// facts/kinds.json has in `to` or `serves`, and those that controllers create for objects
/// (`makes`).
class NamedObjects {
 public:
  /// `declared`: kinds of gpulint.yaml; may be null.
  explicit NamedObjects(std::span<const KubernetesObject> objects,
                        const DeclaredKinds* declared = nullptr);

  [[nodiscard]] std::span<const Node> of(std::string_view kind) const;

  /// Names of the objects of a kind; empty if one of the names is unknown.
  [[nodiscard]] const Names& names(std::string_view kind) const;
  /// The same for `user`'s namespace; other namespaces count only if one of them is not stated.
  [[nodiscard]] Names names(std::string_view kind, Node user) const;
  /// Whether the kind has an object with this name.
  [[nodiscard]] bool has(std::string_view kind, std::string_view name, Node user = {}) const;

  /// If no object with the name can be in namespace `home`: those of others, as `namespace/name`.
  [[nodiscard]] Names names_elsewhere(std::string_view kind, const Field<std::string>& name,
                                      const Field<std::string>& home) const;

 private:
  using Positions = std::vector<std::size_t>;  // in `names`
  struct Kind {
    std::vector<Node> objects;
    bool has_open_names = false;
    Names names;
    std::vector<Node> named;                                       // the objects of these
    std::map<std::optional<std::string>, Positions> by_namespace;  // or none stated
    std::map<std::string, Positions, std::less<>> by_name;
  };

  void add(Kind& all, Node object, const Field<std::string>& name);
  [[nodiscard]] const Kind& find(std::string_view kind) const;

  std::map<std::string, Kind, std::less<>> by_kind_;
};

}  // namespace gpulint
