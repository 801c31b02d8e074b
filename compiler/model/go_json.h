#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/field.h"
#include "compiler/ir/node.h"

namespace gpulint {

// Nodes as Go's encoding/json decodes what sigs.k8s.io/yaml makes of them. null leaves a Go value
// at zero, so it reads as absent; a YAML boolean where a string is due is mistyped.

[[nodiscard]] Field<std::string> decode_string(Node node);
/// Any JSON number without fraction within int64: `4`, `4.0`, `0x4`, `1e1`.
[[nodiscard]] Field<std::int64_t> decode_int(Node node);
[[nodiscard]] Field<bool> decode_bool(Node node);
/// Whether JSON reads null here; not for placeholders and nothing.
[[nodiscard]] bool is_json_null(Node node);

/// Whether the scalar is a JSON number, fractions included.
[[nodiscard]] bool is_json_number(Node node);
/// The first node at or below `root` for which sigs.k8s.io/yaml refuses the document: `.inf`, a
/// null or a collection as key. Nothing where it reads all of it.
[[nodiscard]] Node find_unreadable(Node root);

/// Whether Go's time.ParseDuration reads the text: `1m30s`, `-1.5h`, `0`.
[[nodiscard]] bool is_go_duration(std::string_view text);

/// A member of a JSON object.
struct JsonMember {
  std::string key;
  Node key_node;
  Node value;
  bool opaque_key = false;  ///< A placeholder stands in the key: it may be any.
};
/// The members of a mapping, the last of equal keys; empty for anything else.
[[nodiscard]] std::vector<JsonMember> decode_object(Node mapping);

}  // namespace gpulint
