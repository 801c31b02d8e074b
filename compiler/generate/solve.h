#pragma once

#include <string>
#include <vector>

#include "compiler/generate/advise.h"
#include "compiler/generate/trial.h"

namespace gpulint::generate {

// generate: nodes and tasks → the smallest Flyte configuration with which each task runs on the
// nodes that it means. It proves its result by placing the tasks again. It does not know rules.

/// The reason for a line of the block.
struct LineReason {
  std::vector<std::string> tasks;      ///< The tasks that would be served worse without it.
  std::vector<const NodePool*> pools;  ///< The nodes that it is for.
};

/// The smallest block with which as many tasks as possible run where they should, with reasons.
struct Solution {
  Block block;
  LineReason device_label;
  LineReason partition_label;
  LineReason gpu_resource_name;
  LineReason unpartitioned_requirement;
  LineReason unpartitioned_toleration;
  std::vector<LineReason> tolerations;  ///< In the order of block.tolerations.
  std::vector<Unsolved> unsolved;
  std::vector<OpenTask> open;  ///< Of the other tasks.
};

/// Removing any line of the solution would serve some task worse. Which of several equal solutions
/// it is depends only on the order of nodes and tasks.
[[nodiscard]] Solution solve(const Problem& problem);

}  // namespace gpulint::generate
