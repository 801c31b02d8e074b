#pragma once

#include <cstdint>
#include <string>

#include "compiler/server/ranges.h"

namespace gpulint::server {

/// Hover: the rules of the findings at an offset of a file, and the nodes that match what is there.
/// Null if there is nothing.
[[nodiscard]] Json hover_at(CheckedRoot& root, FileId file, std::uint32_t offset, Ranges& ranges,
                            const std::string& homepage);

/// Locations of the labels, taints and amounts of the nodes that match what is at an offset.
[[nodiscard]] Json definitions_at(CheckedRoot& root, FileId file, std::uint32_t offset,
                                  Ranges& ranges);

/// The objects of a file: DocumentSymbol (`as_tree`), or SymbolInformation.
[[nodiscard]] Json symbols_of(const CheckedRoot& root, FileId file, Ranges& ranges, bool as_tree);

/// Links from the scalars of a gpulint.yaml or a kustomization that name an existing file or
/// kustomization.
[[nodiscard]] Json links_of(const CheckedRoot& root, FileId file, Ranges& ranges);

/// Code lenses of a file: over a workload how many nodes it fits, over a Node or node pool how many
/// workloads fit it. Empty if no node is known.
[[nodiscard]] Json lenses_of(CheckedRoot& root, FileId file, Ranges& ranges);

}  // namespace gpulint::server
