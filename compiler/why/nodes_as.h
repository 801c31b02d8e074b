#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "compiler/model/pools/cluster.h"

namespace gpulint::why {

/// How nodes offer the partitions of their GPUs.
enum class Partitioning : std::uint8_t {
  none,    ///< Whole GPUs, or no known GPUs.
  single,  ///< Each partition is one `nvidia.com/gpu`; all have one size.
  mixed,   ///< Each size is a separate resource.
  gke      ///< Like `single`, with GKE's own label.
};
[[nodiscard]] Partitioning partitioning_of(const NodePool& pool);

/// The partition size of the nodes, if there is only one; empty if unknown.
[[nodiscard]] std::string partition_size_of(const NodePool& pool);

/// Amount of a resource that nodes offer; 0 if unknown.
[[nodiscard]] std::int64_t amount_of(const NodePool& pool, std::string_view resource);

/// `A100-80GB GPUs have no partition 1g.5gb`, if the layout in the nodes' label is impossible; else
/// empty.
[[nodiscard]] std::string missing_layout(const NodePool& pool);

/// The possible size nearest to that layout: with the same number of slices. Empty if there is
/// none.
[[nodiscard]] std::string possible_layout(const NodePool& pool);

void set_label(NodePool& pool, const std::string& key, const std::string& value);
void set_amount(NodePool& pool, const std::string& resource, std::int64_t amount);

/// Changes nodes from strategy `mixed` to `single`. False if they have several partition sizes.
[[nodiscard]] bool make_single(NodePool& pool);

/// Changes nodes to strategy `single` with all GPUs partitioned into this size. False if their GPUs
/// do not have this size, or are unknown.
[[nodiscard]] bool cut(NodePool& pool, const std::string& size);

}  // namespace gpulint::why
