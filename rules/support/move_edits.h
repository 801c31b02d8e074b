#pragma once

#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"
#include "compiler/ir/node.h"

namespace gpulint::rules {

/// Moves an entry of a block mapping out of it, behind the mapping's own entry: `metadata: {name:
/// n, spec: …}` becomes `metadata: {name: n}` and `spec: …`. Its comments go with it. No edit in
/// flow style, for the only entry of its mapping, where the outer mapping has the key already, or
/// where a line is indented less than it has to move.
[[nodiscard]] std::vector<Edit> move_out(const SourceSet& sources, Node value);

}  // namespace gpulint::rules
