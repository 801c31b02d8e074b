#pragma once

#include <cstdint>
#include <optional>

#include "compiler/ir/node.h"
#include "compiler/model/workload.h"

namespace gpulint {

struct PodCount {
  std::optional<std::int64_t> pods;  ///< Nothing where unknown.
  Node node;                         ///< The value that says how many; nothing where no value does.
};

/// How many pods of the template run at the same time, as facts/kinds.json counts them.
[[nodiscard]] PodCount concurrent_pods(const Workload& workload);

/// How many pods of its template one group of a LeaderWorkerSet has: a leader and `size` - 1
/// workers; without a template of its own the leader is one of the workers
/// (leaderworkerset.x-k8s.io/v1). Nothing where unknown.
[[nodiscard]] std::optional<std::int64_t> pods_of_group(const Workload& workload);

}  // namespace gpulint
