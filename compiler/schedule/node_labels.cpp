#include "compiler/schedule/node_labels.h"

#include <algorithm>

#include "compiler/model/facts/product_label.h"
#include "compiler/model/kubernetes_names.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/schedule/gpu_products.h"

namespace gpulint {
namespace {

using Known = PoolLabel::Known;

/// The answer for a label with one of `values`; unknown unless all of them agree.
template <class Claim>
[[nodiscard]] Ternary agree(const std::vector<std::string>& values, Claim claim) {
  const auto holding = std::ranges::count_if(values, claim);
  if (holding == 0) return Ternary::no;
  return holding == std::ssize(values) ? Ternary::yes : Ternary::unknown;
}

}  // namespace

NodeLabels::NodeLabels(const NodePool& pool) : pool_(&pool) {
  labels_.reserve(pool.labels.size());
  for (const PoolLabel& label : pool.labels) labels_.push_back(&label);
  std::ranges::stable_sort(labels_, {},
                           [](const PoolLabel* label) -> const std::string& { return label->key; });
}

const PoolLabel* NodeLabels::find(std::string_view key) const {
  const auto found = std::ranges::lower_bound(
      labels_, key, {}, [](const PoolLabel* label) -> std::string_view { return label->key; });
  return found != labels_.end() && (*found)->key == key ? *found : nullptr;
}

Ternary NodeLabels::has_unlisted(std::string_view key) const {
  if (pool_->labels_complete) return Ternary::no;
  return pool_->own_labels_complete && !may_be_added(key) ? Ternary::no : Ternary::unknown;
}

Ternary NodeLabels::has(std::string_view key) const {
  const PoolLabel* const label = find(key);
  if (label == nullptr) return has_unlisted(key);
  switch (label->known) {
    case Known::exact:
    case Known::one_of:
    case Known::exists:
      return Ternary::yes;
    case Known::absent:
      return Ternary::no;
    case Known::none_of:
    case Known::provider:
      return Ternary::unknown;
  }
  return Ternary::unknown;
}

Ternary NodeLabels::is_one_of(std::string_view key,
                              std::span<const std::string_view> values) const {
  const PoolLabel* const label = find(key);
  if (label == nullptr) {
    const bool is_other_gpu = key == product_label && std::ranges::all_of(values, [&](auto value) {
                                return is_of_other_gpu(*pool_, value);
                              });
    return is_other_gpu ? Ternary::no : has_unlisted(key);
  }
  const auto is_wanted = [&](std::string_view value) {
    return std::ranges::find(values, value) != values.end();
  };
  switch (label->known) {
    case Known::exact:
    case Known::one_of:
      return agree(label->values, is_wanted);
    case Known::absent:
      return Ternary::no;
    case Known::none_of: {
      const bool all_excluded = std::ranges::all_of(values, [&](std::string_view value) {
        return std::ranges::find(label->values, value) != label->values.end();
      });
      return all_excluded ? Ternary::no : Ternary::unknown;
    }
    case Known::exists:
    case Known::provider:
      return Ternary::unknown;
  }
  return Ternary::unknown;
}

Ternary NodeLabels::is_beyond(std::string_view key, Order order, std::int64_t bound) const {
  const PoolLabel* const label = find(key);
  if (label == nullptr) return has_unlisted(key);
  switch (label->known) {
    case Known::exact:
    case Known::one_of:
      return agree(label->values, [&](std::string_view value) {
        const auto number = parse_go_int(value);
        return number && (order == Order::greater ? *number > bound : *number < bound);
      });
    case Known::absent:
      return Ternary::no;
    case Known::none_of:
    case Known::exists:
    case Known::provider:
      return Ternary::unknown;
  }
  return Ternary::unknown;
}

}  // namespace gpulint
