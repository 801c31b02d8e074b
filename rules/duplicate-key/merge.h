#pragma once

#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"
#include "compiler/ir/node.h"

namespace gpulint::rules::duplicate_key {

/// How two values of one key become one.
struct Merge {
  std::string_view title;
  std::vector<Edit>
      edits;  ///< None where it cannot be done without a guess or the loss of a comment.
};

/// Keeps `kept`, the later of two values of one key, which is the one in force, and adds what only
/// `lost` says: whole lines with their comments and quotes, in front, since they came first. What
/// both say (a key; a list item of the same `name`, or the same text) stays as `kept` has it.
[[nodiscard]] Merge merge_duplicates(const SourceSet& sources, Node lost, Node kept);

}  // namespace gpulint::rules::duplicate_key
