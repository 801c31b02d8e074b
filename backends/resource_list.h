#pragma once

#include <span>
#include <string>
#include <string_view>

#include "compiler/base/diagnostic.h"
#include "compiler/ir/node.h"

namespace gpulint {

/// A finding as a KRM function reports it (KRM functions specification 1.0, `results`).
struct FunctionResult {
  const Diagnostic* finding = nullptr;
  Node object;  ///< The list's item that the finding is about; null if it is in none.
};

/// The text of a ResourceList with `results` after its other keys; no other byte changes. Unchanged
/// without results, or if the list already has some. `list` is its root.
[[nodiscard]] std::string with_results(std::string_view text, Node list,
                                       std::span<const FunctionResult> results);

}  // namespace gpulint
