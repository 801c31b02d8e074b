#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/cluster.h"

namespace gpulint {

// What the readers of node pools have in common.

/// Sets a label, replacing one of the same key; `values` of one for `exact`.
void set_label(NodePool& pool, std::string key, PoolLabel::Known known,
               std::vector<std::string> values, Node node);
void set_label(NodePool& pool, PoolLabel label);

/// A machine type, and the GPUs that it is known to have.
void add_machine_type(NodePool& pool, Node scalar);
/// Those of a list; none where one of them is open, since any machine may then be meant.
void add_machine_types(NodePool& pool, Node list);

/// The first mapping below `node` that holds a key twice, as written; nothing where there is none.
[[nodiscard]] Node find_repeated_key(Node node);

/// Whether every key of it is known: nothing is templated in the mapping. True where it is absent.
[[nodiscard]] bool has_known_keys(Node mapping);

/// Whether every value of a map can be decoded as a string.
[[nodiscard]] bool is_string_map(Node mapping);

/// Whether a provider, the kubelet or an operator is known to add such a label by itself, so that a
/// declaration that leaves it out says nothing.
[[nodiscard]] bool may_be_added(std::string_view label_key);

}  // namespace gpulint
