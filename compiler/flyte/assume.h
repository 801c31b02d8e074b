#pragma once

#include <vector>

#include "compiler/flyte/flyte_config.h"
#include "compiler/flyte/task.h"
#include "compiler/model/pools/cluster.h"
#include "compiler/model/settings.h"

namespace gpulint::flyte {

/// The tasks that settings declare, without Python tasks whose SDK is for another version of Flyte.
/// A task without a name is named by its number.
[[nodiscard]] std::vector<Task> declared_tasks(const Settings& settings, FlyteVersion version);

/// Whether the sources declare GPU tasks, including unreadable ones: then none is assumed.
[[nodiscard]] bool has_python_tasks(const Settings& settings);

/// The tasks to check with if none is declared, marked as assumed: one GPU; each accelerator that
/// the cluster's nodes, or else its provider, can have; each partition of those. Their names are
/// different and valid in Kubernetes (RFC 1123 labels).
[[nodiscard]] std::vector<Task> assumed_tasks(const Cluster& cluster, const FlyteConfig& config);

}  // namespace gpulint::flyte
