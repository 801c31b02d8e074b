#pragma once

#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"
#include "compiler/ir/node.h"

namespace gpulint::rules {

/// Where an entry shall stand: below `keys`, which are made inside of an existing mapping.
struct NewPlace {
  Node mapping;
  std::vector<std::string> keys;  ///< Not there yet; empty: directly in the mapping.
};

/// Moves a mapping's value with its key, its lines and the comments among them, indented anew, to
/// the end of another mapping of the same document. Mappings that hold nothing else go with it. No
/// edits for flow style and JSON, where the key is there already, or where lines are shared with
/// something else.
[[nodiscard]] std::vector<Edit> move_entry(const SourceSet& sources, Node value,
                                           const NewPlace& place);

}  // namespace gpulint::rules
