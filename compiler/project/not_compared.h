#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compiler/project/project.h"

namespace gpulint {

/// A line for each reason why pods or Flyte releases were not compared with nodes of the same tree,
/// ready to print. Reasons of most pods are first, and only a few are shown.
[[nodiscard]] std::vector<std::string> describe_not_compared(const Project& project);

/// Workloads that concern GPUs and are in no scope with nodes.
struct Uncompared {
  std::size_t workloads = 0;
  std::string example;           ///< `Job/ml/train (teams/nlp/train.yaml)`.
  bool are_nodes_known = false;  ///< In other scopes.
  bool are_gpus_known = false;   ///< On nodes in other scopes.
};

/// The workloads that no line of describe_not_compared() reports.
[[nodiscard]] Uncompared find_uncompared(const Project& project);

/// The lines of describe_not_compared() about Flyte releases whose values are only partly among the
/// inputs. Tasks of these releases have no pods.
[[nodiscard]] std::vector<std::string> describe_partial_releases(const Project& project);

}  // namespace gpulint
