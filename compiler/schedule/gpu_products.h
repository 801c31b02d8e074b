#pragma once

#include <string_view>
#include <vector>

#include "compiler/model/pools/cluster.h"

namespace gpulint {

/// The labels that GPU Feature Discovery sets for the GPUs of the pool's machines
/// (`product_label`), before they are partitioned or shared; empty if unknown.
[[nodiscard]] std::vector<std::string_view> product_labels_of(const NodePool& pool);

/// Whether the value of that label names a GPU that no machine of the pool has. Compares models
/// only (`A100`, not its memory or form); false if the value or a machine is unknown.
[[nodiscard]] bool is_of_other_gpu(const NodePool& pool, std::string_view value);

}  // namespace gpulint
