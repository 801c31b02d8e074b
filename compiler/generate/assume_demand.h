#pragma once

#include <span>
#include <vector>

#include "compiler/flyte/flyte_config.h"
#include "compiler/flyte/task.h"
#include "compiler/model/pools/cluster.h"

namespace gpulint::generate {

/// The tasks to solve if none is declared: one GPU, every device in the nodes' labels, and every
/// partition size with its device.
[[nodiscard]] std::vector<flyte::Task> assumed_tasks(const Cluster& cluster, FlyteVersion version);

/// The nodes to solve for if none are known but a provider is: for each task a pool as the provider
/// would create it, if it has such a device. Labels, taints and resources come from the facts.
[[nodiscard]] Cluster assumed_cluster(Provider provider, std::span<const flyte::Task> tasks,
                                      const flyte::FlyteConfig& config);

}  // namespace gpulint::generate
