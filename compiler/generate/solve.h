#pragma once

#include <string>
#include <vector>

#include "compiler/generate/advise.h"
#include "compiler/generate/block.h"
#include "compiler/generate/trial.h"

namespace gpulint::generate {

// generate: nodes and tasks → the smallest Flyte configuration under which each task runs where it
// should. It proves its result by placing the tasks again. It does not know rules.

/// Who needs a line of the block.
struct LineReason {
  std::vector<std::string> tasks;      ///< Those that would be worse off without it.
  std::vector<const NodePool*> pools;  ///< The nodes that it is for.
};

/// The smallest block under which as many tasks as possible run where they mean to, and why.
struct Solution {
  Block block;
  LineReason device_label;
  LineReason partition_label;
  LineReason gpu_resource_name;
  LineReason unpartitioned_requirement;
  LineReason unpartitioned_toleration;
  std::vector<LineReason> tolerations;  ///< As block.tolerations.
  std::vector<Unsolved> unsolved;
  std::vector<OpenTask> open;  ///< Of the others.
};

/// No line of the solution can be left out without serving some task worse. Tasks that need the
/// same are told apart by nothing: which of several equal solutions it is depends only on the order
/// of nodes and tasks.
[[nodiscard]] Solution solve(const Problem& problem);

}  // namespace gpulint::generate
