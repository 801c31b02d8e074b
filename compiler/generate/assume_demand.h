#pragma once

#include <span>
#include <vector>

#include "compiler/flyte/flyte_config.h"
#include "compiler/flyte/task.h"
#include "compiler/model/cluster.h"

namespace gpulint::generate {

/// What to solve for where no task is declared: one GPU, every device that the nodes' labels tell
/// of, and every partition size together with its device.
[[nodiscard]] std::vector<flyte::Task> assumed_tasks(const Cluster& cluster, FlyteVersion version);

/// What to solve on where no nodes are known but a provider: for each task a pool as the provider
/// would make it, if it has such a device; labels, taints and resources by the facts.
[[nodiscard]] Cluster assumed_cluster(Provider provider, std::span<const flyte::Task> tasks,
                                      const flyte::FlyteConfig& config);

}  // namespace gpulint::generate
