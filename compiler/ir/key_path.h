#pragma once

#include <string>

#include "compiler/ir/node.h"

namespace gpulint {

/// The way from the document's root to a node: `spec.tolerations[0].key`. Keys that hold a dot or a
/// blank are quoted: `limits["nvidia.com/gpu"]`. A key has the path of its value. Text embedded in
/// another document is preceded by its host's path and `/`.
[[nodiscard]] std::string key_path(Node node);

}  // namespace gpulint
