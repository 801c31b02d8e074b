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

/// What the nodes of a declared pool offer, according to the machine types.
struct PoolOffers {
  std::vector<const Machine*> machines;  ///< Those that its nodes can be; empty if unknown.
  /// The most that one of them has, by resource: accelerators, and `cpu` and `memory` (in bytes) if
  /// they are known for all.
  std::map<std::string, std::int64_t> most;
  std::optional<PoolSize> size;
  std::vector<ResourceEntry> limits;  ///< Karpenter: for all nodes of the pool together.
  /// Why the nodes may offer more or be other machines; empty if all is known.
  std::string open;
};
/// Empty for a Node and for kubelet configuration.
[[nodiscard]] PoolOffers offers_of(const NodePool& pool);

}  // namespace gpulint
