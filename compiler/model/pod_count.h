#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "compiler/ir/node.h"
#include "compiler/model/workload.h"

namespace gpulint {

struct PodCount {
  std::optional<std::int64_t> pods;  ///< nullopt: unknown.
  Node node;                         ///< The value that sets the number; null if no value does.
};

/// How many pods of the template run at the same time, according to facts/kinds.json.
[[nodiscard]] PodCount concurrent_pods(const Workload& workload);

/// The label of the value that sets the number: `4 pods`. If the value is another number:
/// `4 pods: 2 replicas with 2 pods each`, or `4 pods, 2 times this number`.
[[nodiscard]] std::string label_pods(Node value, std::int64_t pods);

/// How many pods of its template one group of a LeaderWorkerSet has: a leader and `size` - 1
/// workers; without its own template the leader is one of the workers
/// (leaderworkerset.x-k8s.io/v1). nullopt: unknown.
[[nodiscard]] std::optional<std::int64_t> pods_of_group(const Workload& workload);

}  // namespace gpulint
