#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"

namespace gpulint {

/// The edits of one round of fixing.
struct FixPlan {
  std::map<FileId, std::vector<Edit>> edits;  ///< Sorted and disjoint in each file.
  std::size_t applied = 0;                    ///< Fixes taken whole.
  std::size_t postponed = 0;                  ///< Fixes that overlap one taken: for a next round.
};

/// Chooses fixes in the order of `findings` (file, place, rule): a fix is taken whole or not at
/// all, and not if one of its edits touches an edit already taken; equal edits count as one, except
/// where a fix moves text.
/// Insertions at the same place touch. `at_most` says which fixes to consider.
[[nodiscard]] FixPlan plan_fixes(std::span<const Diagnostic> findings, Safety at_most);

/// The text with the edits carried out; `edits` sorted, disjoint and within the text.
[[nodiscard]] std::string apply_edits(std::string_view text, std::span<const Edit> edits);

}  // namespace gpulint
