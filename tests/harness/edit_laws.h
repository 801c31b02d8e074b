#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"

namespace gpulint::test {

/// What a reader sees beside the tree: its documents, the errors in them, and all comments but
/// gpulint's own (unused ones are removed), those of YAML inside strings included. Sorted.
struct Reading {
  std::size_t documents = 0;
  std::size_t errors = 0;
  std::vector<std::string> comments;
};
[[nodiscard]] Reading read_around(const SourceFile& file);

/// Comments of `before` that are gone in `after`.
[[nodiscard]] std::vector<std::string> lost_comments(const Reading& before, const Reading& after);

/// Everything that reads otherwise after the edits (sorted, disjoint) and that none of them says:
/// both trees are walked side by side, YAML inside strings included. Each entry of the old tree
/// that no edit touches must stand in the same place of the new one, with the same value as
/// Kubernetes reads it, and each entry of the new tree that was not in the old one must come from
/// inserted text. One line per difference; empty where either text has syntax errors.
[[nodiscard]] std::vector<std::string> stray_changes(const SourceFile& before,
                                                     const SourceFile& after,
                                                     const std::vector<Edit>& edits);

/// Where the text after the edits says something else than before: what they wrote, and an empty
/// span where they only removed something. Text that was there says nothing else when it is quoted
/// or moved.
/// `earlier`: the same of the rounds before.
[[nodiscard]] std::vector<Span> written_places(const SourceFile& before,
                                               const std::vector<Edit>& edits,
                                               const std::vector<Span>& earlier);

}  // namespace gpulint::test
