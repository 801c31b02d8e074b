#pragma once

#include <cstdint>
#include <vector>

#include "compiler/server/workspace.h"

namespace gpulint::server {

/// The names of the objects that the field at an offset refers to (model/facts/kinds.json).
[[nodiscard]] std::vector<Span> find_referenced(CheckedRoot& root, FileId file,
                                                std::uint32_t offset);

}  // namespace gpulint::server
