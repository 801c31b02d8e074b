#pragma once

#include <cstdint>

#include "compiler/server/ranges.h"

namespace gpulint::server {

/// Completion at an offset of a file: values that known nodes have (labels, taints, resources),
/// names of objects, keys of Flyte's plugin and of gpulint.yaml, ids of rules. A list of
/// CompletionItem.
[[nodiscard]] Json completions_at(CheckedRoot& root, FileId file, std::uint32_t offset,
                                  Ranges& ranges);

}  // namespace gpulint::server
