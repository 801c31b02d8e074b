#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compiler/project/project.h"

namespace gpulint {

/// A line for each reason for which pods or Flyte's configuration were not held against nodes of
/// the same tree, ready to print: those of most pods first, and no more than a person reads.
[[nodiscard]] std::vector<std::string> describe_not_compared(const Project& project);

/// Workloads that concern GPUs and are in no scope with nodes.
struct Uncompared {
  std::size_t workloads = 0;
  std::string example;           ///< `Job/ml/train (teams/nlp/train.yaml)`.
  bool are_nodes_known = false;  ///< In other scopes.
  bool are_gpus_known = false;   ///< On nodes in other scopes.
};

/// Those of the project that no line of describe_not_compared() is about.
[[nodiscard]] Uncompared find_uncompared(const Project& project);

/// Those of them that are about Flyte releases of which only a part of the values is among the
/// inputs: their tasks have no pods.
[[nodiscard]] std::vector<std::string> describe_partial_releases(const Project& project);

}  // namespace gpulint
