#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/field.h"
#include "compiler/ir/node.h"

namespace gpulint {

// Nodes as Go's encoding/json decodes the JSON of sigs.k8s.io/yaml. null leaves a Go value at zero,
// so it reads as absent; a YAML boolean instead of a string is mistyped.

[[nodiscard]] Field<std::string> decode_string(Node node);
/// Any JSON number without a fraction within int64: `4`, `4.0`, `0x4`, `1e1`.
[[nodiscard]] Field<std::int64_t> decode_int(Node node);
[[nodiscard]] Field<bool> decode_bool(Node node);
/// Whether JSON reads null here; false for placeholders and null nodes.
[[nodiscard]] bool is_json_null(Node node);

/// Whether the scalar is a JSON number, including fractions.
[[nodiscard]] bool is_json_number(Node node);
/// The first node at or below `root` that makes sigs.k8s.io/yaml reject the document: `.inf`, a
/// null or a collection as key. Null if it reads all of it.
[[nodiscard]] Node find_unreadable(Node root);

/// Whether Go's time.ParseDuration reads the text: `1m30s`, `-1.5h`, `0`.
[[nodiscard]] bool is_go_duration(std::string_view text);

/// A member of a JSON object.
struct JsonMember {
  std::string key;
  Node key_node;
  Node value;
  bool opaque_key = false;  ///< The key contains a placeholder: it may be any.
};
/// The members of a mapping, the last of equal keys; empty for anything else.
[[nodiscard]] std::vector<JsonMember> decode_object(Node mapping);

}  // namespace gpulint
