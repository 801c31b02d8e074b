#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/field.h"
#include "compiler/ir/node.h"
#include "compiler/model/corpus/corpus.h"

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

/// What it says of a name that none of the targets has.
enum class Certainty : std::uint8_t {
  none,     ///< Others may exist.
  likely,   ///< Who gives some gives all, as far as the inputs tell.
  complete  ///< Nothing but the targets can be meant.
};

/// A place that names what is not among the inputs by its name, and what of that kind is.
struct Reference {
  Value<std::string> name;                  ///< As it is written.
  std::string_view kind;                    ///< `RuntimeClass`; `request` of a claim.
  std::vector<Value<std::string>> targets;  ///< Those there are; empty where some name is open.
  std::string_view effect;                  ///< What comes of a name that does not exist.
  Certainty certainty = Certainty::none;
};

/// Adds a reference where the name is written and not empty, and there are targets, it not among
/// them.
void add_reference(std::vector<Reference>& references, const Field<std::string>& name,
                   std::string_view kind, const std::vector<Value<std::string>>& targets,
                   std::string_view effect, Certainty certainty);

/// The references of facts/kinds.json; runtime classes, claims, claim templates and their requests,
/// device classes, configurations of NVIDIA's device plugin by node label or default, the
/// ConfigMaps of NVIDIA's operator, GKE's compute classes, and those of other_references.h.
[[nodiscard]] std::vector<Reference> find_references(const Corpus& corpus);

}  // namespace gpulint::rules::misspelt_reference
