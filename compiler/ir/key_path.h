#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/node.h"

namespace gpulint {

/// A key as a segment of a JSON pointer (RFC 6901): `~` is `~0`, `/` is `~1`.
[[nodiscard]] std::string escape_pointer_segment(std::string_view key);
/// The key of such a segment.
[[nodiscard]] std::string unescape_pointer_segment(std::string_view segment);

/// The way from the document's root to a node: `spec.tolerations[0].key`. Keys that hold a dot or a
/// blank are quoted: `limits["nvidia.com/gpu"]`. A key has the path of its value. Text embedded in
/// another document is preceded by its host's path and `/`.
[[nodiscard]] std::string key_path(Node node);

/// What is at a path below a node: `spec.groups[].name`, where `[]` means each item of a list, and
/// `{}` at the end each key of a mapping. Empty where the document has nothing there.
[[nodiscard]] std::vector<Node> nodes_at(Node node, std::string_view path);

}  // namespace gpulint
