#pragma once

#include <string>
#include <vector>

#include "compiler/model/pools/cluster.h"

namespace gpulint::why {

/// The name of a node or pool for sentences; `(unnamed)` if it has none.
[[nodiscard]] std::string name_of(const NodePool& pool);

/// The first names, and the number of the others.
[[nodiscard]] std::string names_of(const std::vector<const NodePool*>& pools);

}  // namespace gpulint::why
