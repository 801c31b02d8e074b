#pragma once

#include <cstdint>

#include "compiler/ir/document.h"
#include "compiler/ir/node.h"

namespace gpulint {

/// Whether a reader that meets so many nodes, so many of them through aliases, gives up. Figures of
/// yaml.v2, with which Kubernetes, Helm and Flyte read (decode.go, `allowedAliasRatio`).
[[nodiscard]] bool is_excessive_aliasing(std::uint64_t met, std::uint64_t through_aliases);

/// The alias with the largest expansion if a document expands too far; else nothing.
/// Linear, whatever aliases of aliases would expand to. No alias may be inside its own target.
[[nodiscard]] Node find_excessive_alias(const Document& document);

}  // namespace gpulint
