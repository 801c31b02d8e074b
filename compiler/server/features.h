#pragma once

#include <cstdint>
#include <string>

#include "compiler/server/ranges.h"

namespace gpulint::server {

/// The client's command that opens the document of a URI, which is its only argument.
inline constexpr const char* show_pod_command = "gpulint.showPod";

/// Hover: the rules of the findings at an offset of a file, the nodes or workloads that match what
/// is there, and where Flyte writes it. Null if there is nothing.
[[nodiscard]] Json hover_at(CheckedRoot& root, FileId file, std::uint32_t offset, Ranges& ranges,
                            const std::string& homepage);

/// Locations of what is named or matched at an offset: objects, labels, taints and amounts of
/// nodes, and what workloads request of a node.
[[nodiscard]] Json definitions_at(CheckedRoot& root, FileId file, std::uint32_t offset,
                                  Ranges& ranges);

/// The objects of a file: DocumentSymbol (`as_tree`), or SymbolInformation.
[[nodiscard]] Json symbols_of(const CheckedRoot& root, FileId file, Ranges& ranges, bool as_tree);

/// Links from the scalars of a gpulint.yaml or a kustomization that name an existing file or
/// kustomization.
[[nodiscard]] Json links_of(const CheckedRoot& root, FileId file, Ranges& ranges);

/// Code lenses of a file: over a workload or task how many nodes it fits, over a Node or node pool
/// how many workloads fit it. Empty if no node is known. `folder`: the path of the root if a click
/// on the lens of a task shows its pods; otherwise empty.
[[nodiscard]] Json lenses_of(CheckedRoot& root, FileId file, Ranges& ranges,
                             const std::string& folder);

}  // namespace gpulint::server
