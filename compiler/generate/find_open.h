#pragma once

#include <vector>

#include "compiler/generate/ground.h"
#include "compiler/generate/solve.h"

namespace gpulint::generate {

/// The tasks that may fit nodes that they mean, but do not certainly, and what is not known: of the
/// nodes that serve each best.
[[nodiscard]] std::vector<OpenTask> find_open(const Ground& ground, const Block& block);

}  // namespace gpulint::generate
