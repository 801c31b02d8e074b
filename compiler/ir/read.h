#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "compiler/ir/field.h"
#include "compiler/ir/node.h"

namespace gpulint {

/// Readers of one key of a mapping, as the Kubernetes API server decodes it (JSON types, no weak
/// typing): a YAML boolean or number where a string is due is `mistyped`; null is absent.

[[nodiscard]] Field<std::string> read_string(Node mapping, std::string_view key);
[[nodiscard]] Field<std::int64_t> read_int(Node mapping, std::string_view key);
[[nodiscard]] Field<bool> read_bool(Node mapping, std::string_view key);

/// The same for a node at hand; `node` must exist.
[[nodiscard]] Field<std::string> read_string(Node node);

}  // namespace gpulint
