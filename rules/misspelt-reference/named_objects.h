#pragma once

#include <functional>
#include <map>
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

  /// Names of the objects of a kind, none where one's name is open; of other namespaces than that
  /// of `user` only where either is not stated.
  [[nodiscard]] Names names(std::string_view kind, Node user = {}) const;

  /// Where no object of the name may be of namespace `home`: those of other ones, by both names.
  [[nodiscard]] Names names_elsewhere(std::string_view kind, const Field<std::string>& name,
                                      const Field<std::string>& home) const;

 private:
  std::map<std::string, std::vector<Node>, std::less<>> by_kind_;
};

}  // namespace gpulint::rules::misspelt_reference
