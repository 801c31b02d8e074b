#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "compiler/model/pools/cluster.h"

namespace gpulint::why {

/// How nodes offer the partitions of their GPUs.
enum class Partitioning : std::uint8_t {
  none,    ///< Whole GPUs, or none that are known.
  single,  ///< A partition is a `nvidia.com/gpu`; all are of one size.
  mixed,   ///< Each size is a resource of its own.
  gke      ///< By the provider: as `single`, with its own label.
};
[[nodiscard]] Partitioning partitioning_of(const NodePool& pool);

/// The size of every partition of the nodes, where they have one only and something tells it.
[[nodiscard]] std::string partition_size_of(const NodePool& pool);

/// How many of a resource nodes offer; 0 where that is not known.
[[nodiscard]] std::int64_t amount_of(const NodePool& pool, std::string_view resource);

/// `no GPU of A100-80GB has 1g.5gb`, where the layout that the nodes' label asks for cannot be;
/// empty elsewhere.
[[nodiscard]] std::string missing_layout(const NodePool& pool);

/// The size that the GPUs do have nearest to what that layout asks for: of as many slices; or
/// empty.
[[nodiscard]] std::string possible_layout(const NodePool& pool);

void set_label(NodePool& pool, const std::string& key, const std::string& value);
void set_amount(NodePool& pool, const std::string& resource, std::int64_t amount);

/// Nodes of strategy `mixed` with partitions of one size as they would be under `single`; false
/// where they have several sizes.
[[nodiscard]] bool make_single(NodePool& pool);

/// Nodes as they would be with all their GPUs cut into partitions of this size under strategy
/// `single`; false where their GPUs are known not to have it, or none are known.
[[nodiscard]] bool cut(NodePool& pool, const std::string& size);

}  // namespace gpulint::why
