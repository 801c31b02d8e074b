#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/project/project.h"

namespace gpulint {

// What a run tells of its inputs beside findings. Lines are ready to print.

/// How somebody without nodes gets some.
inline constexpr std::string_view nodes_help =
    "`kubectl get nodes -o yaml >nodes.yaml` writes those of a cluster";

/// What patches were left without a base: a line for each folder, up to five
/// (docs/reference/kustomize.md).
[[nodiscard]] std::vector<std::string> describe_unmerged(const Project& project);

/// Names the first file that a kustomization names and that was not read because of where it is,
/// and how many more there are; empty where there is none.
[[nodiscard]] std::string describe_outside(const Project& project);

/// Names the first variable without a default that an amount of accelerators is written as, and how
/// many more there are; empty where there is none.
[[nodiscard]] std::string describe_unknown_amounts(const Project& project);

/// A line for each declared task whose accelerator neither Flyte nor a known node calls so, and
/// that is nearly a name which Flyte knows. Any name is a device's for Flyte, so that this is no
/// finding.
[[nodiscard]] std::vector<std::string> describe_unknown_devices(const Project& project);

/// Workloads whose placement was not checked, where nothing else says so; else empty.
[[nodiscard]] std::string describe_uncompared(const Project& project);

/// What a command lacks that has no workload to place: nodes for tasks, or workloads.
[[nodiscard]] std::string describe_missing(const Project& project);

}  // namespace gpulint
