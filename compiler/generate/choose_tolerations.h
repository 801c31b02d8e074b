#pragma once

#include <vector>

#include "compiler/generate/ground.h"

namespace gpulint::generate {

/// The fewest tolerations under which every task gets onto the best nodes that it can reach by
/// tolerations at all, under one choice of labels. Sorted.
[[nodiscard]] std::vector<ResourceToleration> choose_tolerations(const Ground& ground,
                                                                 const Trial& trial);

}  // namespace gpulint::generate
