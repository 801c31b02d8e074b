#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/pools/cluster.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

/// What is known of a pool's labels, by key. The pool must outlive it.
class NodeLabels {
 public:
  explicit NodeLabels(const NodePool& pool);

  /// What is said of a key; null where nothing is.
  [[nodiscard]] const PoolLabel* find(std::string_view key) const;

  /// Whether every node carries the label.
  [[nodiscard]] Ternary has(std::string_view key) const;
  /// Whether every node's value is one of `values`; a missing label has none.
  [[nodiscard]] Ternary is_one_of(std::string_view key,
                                  std::span<const std::string_view> values) const;

  enum class Order : std::uint8_t { greater, less };
  /// Whether every node's value is an integer beyond `bound`.
  [[nodiscard]] Ternary is_beyond(std::string_view key, Order order, std::int64_t bound) const;

 private:
  /// Whether the pool's nodes carry a label that it does not list.
  [[nodiscard]] Ternary has_unlisted(std::string_view key) const;

  std::vector<const PoolLabel*> labels_;  // sorted by key
  const NodePool* pool_;
};

}  // namespace gpulint
