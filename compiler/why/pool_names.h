#pragma once

#include <string>
#include <vector>

#include "compiler/model/pools/cluster.h"

namespace gpulint::why {

/// How sentences call nodes or a pool, which may have no name.
[[nodiscard]] std::string name_of(const NodePool& pool);

/// Some of them, and how many more there are.
[[nodiscard]] std::string names_of(const std::vector<const NodePool*>& pools);

}  // namespace gpulint::why
