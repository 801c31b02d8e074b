#pragma once

#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"
#include "compiler/edit/layout.h"
#include "compiler/ir/node.h"

namespace gpulint::rules::duplicate_key {

/// The lines of comments directly above a key, at its column; empty where there are none, and at the
/// top of a file, where they are about all of it.
[[nodiscard]] Span comments_above(const Layout& layout, Node key);

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

/// Whether two values of one key are equal, as they are written. False where they hold anchors or
/// aliases.
[[nodiscard]] bool say_the_same(Node one, Node other);

/// Removes the later one of two equal values. No edits where comments would change their owner.
[[nodiscard]] std::vector<Edit> remove_later(const SourceSet& sources, Node later);

}  // namespace gpulint::rules::duplicate_key
