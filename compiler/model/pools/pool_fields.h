#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/pools/cluster.h"

namespace gpulint {

// Shared functions for reading node pools.

/// The label with this key; null if there is none.
[[nodiscard]] const PoolLabel* find_label(const NodePool& pool, std::string_view key);

/// Sets a label, replacing one with the same key; for `exact`, `values` has one value.
void set_label(NodePool& pool, std::string key, PoolLabel::Known known,
               std::vector<std::string> values, Node node);
void set_label(NodePool& pool, PoolLabel label);

/// Adds a machine type, and the GPUs that it is known to have.
void add_machine_type(NodePool& pool, Node scalar);
/// Adds the machine types of a list; none if one of them is opaque, since it may be any machine.
void add_machine_types(NodePool& pool, Node list);

/// The first mapping below `node` with a repeated key, as written; null if there is none.
[[nodiscard]] Node find_repeated_key(Node node);

/// Whether all keys of the mapping are known, without templates. True if it is absent.
[[nodiscard]] bool has_known_keys(Node mapping);

/// Whether every value of a map can be decoded as a string.
[[nodiscard]] bool is_string_map(Node mapping);

/// Whether a provider, the kubelet or an operator is known to add such a label, so a declaration
/// without it proves nothing.
[[nodiscard]] bool may_be_added(std::string_view label_key);

}  // namespace gpulint
