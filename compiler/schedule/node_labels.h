#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/pools/cluster.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

/// The known labels of a pool, by key. The pool must outlive it.
class NodeLabels {
 public:
  explicit NodeLabels(const NodePool& pool);

  /// Null if the pool states nothing about the key.
  [[nodiscard]] const PoolLabel* find(std::string_view key) const;

  /// Whether every node has the label.
  [[nodiscard]] Ternary has(std::string_view key) const;
  /// Whether every node's value is one of `values`; `no` for a missing label.
  [[nodiscard]] Ternary is_one_of(std::string_view key,
                                  std::span<const std::string_view> values) const;

  enum class Order : std::uint8_t { greater, less };
  /// Whether every node's value is an integer greater or less than `bound`.
  [[nodiscard]] Ternary is_beyond(std::string_view key, Order order, std::int64_t bound) const;

 private:
  /// Whether the pool's nodes have a label that the pool does not list.
  [[nodiscard]] Ternary has_unlisted(std::string_view key) const;

  std::vector<const PoolLabel*> labels_;  // sorted by key
  const NodePool* pool_;
};

}  // namespace gpulint
