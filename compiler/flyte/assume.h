#pragma once

#include <vector>

#include "compiler/flyte/flyte_config.h"
#include "compiler/flyte/task.h"
#include "compiler/model/cluster.h"
#include "compiler/model/settings.h"

namespace gpulint::flyte {

/// The tasks of a scope: those that settings declare, else assumed ones, marked as such: one GPU;
/// each accelerator that the cluster's nodes, or without any its provider, can carry; each
/// partition of those.
[[nodiscard]] std::vector<Task> tasks_of(const Settings& settings, const Cluster& cluster,
                                         const FlyteConfig& config);

[[nodiscard]] std::vector<Task> assumed_tasks(const Cluster& cluster, const FlyteConfig& config);

}  // namespace gpulint::flyte
