#pragma once

#include <string_view>
#include <vector>

#include "compiler/model/pools/cluster.h"

namespace gpulint {

/// What GPU Feature Discovery calls the GPUs of the pool's machines (`product_label`), before they
/// are partitioned or shared; empty: open.
[[nodiscard]] std::vector<std::string_view> product_labels_of(const NodePool& pool);

/// Whether a value of that label names a GPU that no machine of the pool has: whoever labels its
/// nodes, this is not what they get. By model alone (`A100`, not its memory or form), and of values
/// and machines that the facts know; else false.
[[nodiscard]] bool is_of_other_gpu(const NodePool& pool, std::string_view value);

}  // namespace gpulint
