#pragma once

#include <vector>

#include "compiler/generate/prepared_problem.h"
#include "compiler/generate/solve.h"

namespace gpulint::generate {

/// For each task that does not get onto nodes that it means: why, and what would help. `block` is
/// the best that configuration can do.
[[nodiscard]] std::vector<Unsolved> advise(const PreparedProblem& prepared, const Block& block);

/// node `gpu-a`, pool `a100`.
[[nodiscard]] std::string describe(const NodePool& pool);

/// The tasks that may fit nodes that they mean, but do not certainly, and what is not known: of the
/// nodes that serve each best.
[[nodiscard]] std::vector<OpenTask> find_open(const PreparedProblem& prepared, const Block& block);

}  // namespace gpulint::generate
