#pragma once

#include <vector>

#include "compiler/flyte/flyte_config.h"
#include "compiler/flyte/task.h"
#include "compiler/model/cluster.h"
#include "compiler/model/settings.h"

namespace gpulint::flyte {

/// The tasks that settings declare, without those of Python whose SDK speaks to another version of
/// Flyte; a task without a name gets one by its number.
[[nodiscard]] std::vector<Task> declared_tasks(const Settings& settings, FlyteVersion version);

/// Whether the sources declare GPU tasks, those that nobody can read included: then none is assumed.
[[nodiscard]] bool has_python_tasks(const Settings& settings);

/// What to try where no task is declared, marked as assumed: one GPU; each accelerator that the
/// cluster's nodes, or without any its provider, can carry; each partition of those. Their names
/// are names that Kubernetes takes (RFC 1123 labels), all different.
[[nodiscard]] std::vector<Task> assumed_tasks(const Cluster& cluster, const FlyteConfig& config);

}  // namespace gpulint::flyte
