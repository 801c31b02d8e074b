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
#include "compiler/model/corpus.h"

namespace gpulint::rules::misspelt_reference {

using Names = std::vector<Value<std::string>>;

/// The objects that references name, and those that make such.
class NamedObjects {
 public:
  explicit NamedObjects(const Corpus& corpus);

  [[nodiscard]] std::span<const Node> of(std::string_view kind) const;

  /// Names of the objects of a kind, none where one's name is open.
  [[nodiscard]] const Names& names(std::string_view kind) const;
  /// Of other namespaces than that of `user` only where either is not stated.
  [[nodiscard]] Names names(std::string_view kind, Node user) const;
  /// Whether the name is among these.
  [[nodiscard]] bool has(std::string_view kind, std::string_view name, Node user = {}) const;

  /// Where no object of the name may be of namespace `home`: those of other ones, by both names.
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

  [[nodiscard]] const Kind& find(std::string_view kind) const;

  std::map<std::string, Kind, std::less<>> by_kind_;
};

}  // namespace gpulint::rules::misspelt_reference
