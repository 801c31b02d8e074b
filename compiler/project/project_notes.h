#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/project/project.h"

namespace gpulint {

// Notes about the inputs, which are not findings. Lines are ready to print.

/// How to get a file with nodes.
inline constexpr std::string_view nodes_help =
    "`kubectl get nodes -o yaml >nodes.yaml` writes those of a cluster";

/// Patches whose base is unknown: a line for each folder, at most five
/// (docs/reference/kustomize.md).
[[nodiscard]] std::vector<std::string> describe_unmerged(const Project& project);

/// The first file of Project::outside and the number of others; empty if there is none.
[[nodiscard]] std::string describe_outside(const Project& project);

/// The first variable without a default in an amount of accelerators, and the number of others;
/// empty if there is none.
[[nodiscard]] std::string describe_unknown_amounts(const Project& project);

/// A line for each declared task whose accelerator is unknown to Flyte and to all nodes, and is
/// similar to a name that Flyte knows. This is not a finding, because Flyte accepts any name.
[[nodiscard]] std::vector<std::string> describe_unknown_devices(const Project& project);

/// The number of workloads that were not compared with nodes, if no other note reports them; else
/// empty.
[[nodiscard]] std::string describe_uncompared(const Project& project);

/// What is missing for a command that has no workload to place: nodes for tasks, or workloads.
[[nodiscard]] std::string describe_missing(const Project& project);

}  // namespace gpulint
