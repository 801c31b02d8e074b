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
  Node object;  ///< That it is about; nothing where it is in no item of the list.
};

/// The text of a ResourceList with `results` behind its other keys and no other byte changed; as it
/// is where there are none, or where it has results already. `list` is its root.
[[nodiscard]] std::string with_results(std::string_view text, Node list,
                                       std::span<const FunctionResult> results);

}  // namespace gpulint
