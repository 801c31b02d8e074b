#pragma once

#include <string>
#include <vector>

#include "compiler/generate/block.h"
#include "compiler/generate/prepared_problem.h"

namespace gpulint::generate {

/// A task that no configuration brings to a node that it means.
struct Unsolved {
  std::string task;
  std::string message;  ///< What is in the way, lower case, no period.
  std::string advice;   ///< What to change on nodes or task; may be empty.
};

/// A task of which it is not certain that it fits a node that it means.
struct OpenTask {
  std::string task;
  std::string message;     ///< What is not known, lower case, no period.
  std::string advice;      ///< What would settle it; may be empty.
  bool is_likely = false;  ///< The nodes' provider sets what it takes, as far as inputs tell.
};

/// For each task that does not get onto nodes that it means: why, and what would help. `block` is
/// the best that configuration can do.
[[nodiscard]] std::vector<Unsolved> advise(const PreparedProblem& prepared, const Block& block);

/// node `gpu-a`, pool `a100`.
[[nodiscard]] std::string describe(const NodePool& pool);

/// The tasks that may fit nodes that they mean, but do not certainly, and what is not known: of the
/// nodes that serve each best.
[[nodiscard]] std::vector<OpenTask> find_open(const PreparedProblem& prepared, const Block& block);

}  // namespace gpulint::generate
