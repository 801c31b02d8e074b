#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/model/facts/machine_catalog.h"
#include "compiler/model/pools/cluster.h"
#include "compiler/schedule/pool_size.h"

namespace gpulint {

/// What is known of a declared pool by the machines that it is made of.
struct PoolOffers {
  std::vector<const Machine*> machines;  ///< Those that its nodes can be; empty: not known.
  /// The most that one of them has, by resource: accelerators, and `cpu` and `memory` (in bytes)
  /// where all are known.
  std::map<std::string, std::int64_t> most;
  std::optional<PoolSize> size;
  std::vector<ResourceEntry> limits;  ///< Of Karpenter, over all nodes of the pool.
  /// Why more may be offered, or other machines may be meant; empty where nothing is open.
  std::string open;
};
/// Of a Node or of kubelet configuration nothing is told.
[[nodiscard]] PoolOffers offers_of(const NodePool& pool);

}  // namespace gpulint
