#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"
#include "compiler/ir/node.h"

namespace gpulint {

/// The target of an entry: below `keys`, which are created inside an existing mapping.
struct NewPlace {
  Node mapping;
  std::vector<std::string> keys;  ///< Not there yet; empty: directly in the mapping.
  Node behind = {};               ///< A value of the mapping; nothing: its last.
};

/// The place below `root` at a dotted path; its keys that are not there yet are left to be made.
[[nodiscard]] NewPlace place_at(Node root, std::string_view path);

/// Moves a mapping's value with its key, its lines and the comments among them, indented anew, to
/// another mapping of the same document. Mappings that hold nothing else go with it. No
/// edits for flow style and JSON, where the key is there already, where lines are shared with
/// something else, where an anchor or alias would move, or into the value itself.
[[nodiscard]] std::vector<Edit> move_entry(const SourceSet& sources, Node value,
                                           const NewPlace& place);

/// The same for several entries of one mapping, in their order: all of them or none.
[[nodiscard]] std::vector<Edit> move_entries(const SourceSet& sources,
                                             const std::vector<Node>& values,
                                             const NewPlace& place);

/// Moves an entry out of its mapping, behind the mapping's own entry: `metadata: {name: n, spec:
/// …}` becomes `metadata: {name: n}` and `spec: …`. No edits for the only entry of its mapping.
[[nodiscard]] std::vector<Edit> move_out(const SourceSet& sources, Node value);

}  // namespace gpulint
