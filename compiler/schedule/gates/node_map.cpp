#include "compiler/schedule/gates/node_map.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "compiler/model/pools/pool_fields.h"
#include "compiler/schedule/describe.h"

namespace gpulint {
namespace {

/// The other key of the same label: a CSI driver that took a volume over may use it
/// (csi-translation-lib, translateTopologyFromInTreeToCSI). Empty for other keys.
[[nodiscard]] std::string_view twin_of(std::string_view key) {
  using Pair = std::pair<std::string_view, std::string_view>;
  static constexpr std::array<Pair, 2> twins{
      {{"failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"},
       {"failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"}}};
  for (const auto& [old, current] : twins) {
    if (key == old) return current;
    if (key == current) return old;
  }
  return {};
}

}  // namespace

NodeMap::NodeMap(const KnownNodes& nodes) : nodes_(&nodes), named_(cluster()) {
  const auto workloads = nodes.placement().workloads();
  for (std::size_t i = 0; i < workloads.size(); ++i) workloads_.emplace(workloads[i], i);
  for (const NodePool& pool : cluster().pools) {
    labels_.emplace_back(pool);
    for (const PoolLabel& label : pool.labels) {
      if (label.known != PoolLabel::Known::absent) carried_.insert(label.key);
    }
    has_only_nodes_ = has_only_nodes_ && pool.source == NodePool::Source::node;
  }
}

Pools NodeMap::fitting(const PreparedPod& pod, Ternary least) const {
  Pools pools;
  for (std::size_t i = 0; i < nodes_->size(); ++i) {
    if (nodes_->fits(pod, i) < least) continue;
    std::ranges::copy(nodes_->placement().classes()[i].pools, std::back_inserter(pools));
  }
  return pools;
}

const PreparedPod* NodeMap::find_pod(const Workload& workload) const {
  const auto found = workloads_.find(&workload);
  return found == workloads_.end() ? nullptr : &nodes_->placement().pod(found->second);
}

std::optional<std::size_t> NodeMap::find_node(const PodSpec& pod) const {
  const NodePool* const node = named_.find(pod);
  if (node == nullptr) return std::nullopt;
  return static_cast<std::size_t>(node - cluster().pools.data());
}

bool NodeMap::lacks(std::size_t pool, std::string_view key) const {
  return labels_[pool].has(key) == Ternary::no &&
         (carries(key) || !may_be_added(key) ||
          labels_[pool].has("kubernetes.io/arch") == Ternary::yes);
}

bool NodeMap::all_lack(const Pools& pools, std::string_view key) const {
  return std::ranges::all_of(pools, [&](std::size_t pool) { return lacks(pool, key); });
}

std::optional<std::string_view> NodeMap::value(std::size_t pool, std::string_view key) const {
  const PoolLabel* const label = labels_[pool].find(key);
  if (label == nullptr || label->known != PoolLabel::Known::exact) return std::nullopt;
  return label->values.front();
}

const PoolLabel* NodeMap::find(std::size_t pool, std::string_view key) const {
  const PoolLabel* const label = labels_[pool].find(key);
  const std::string_view twin = twin_of(key);
  return label != nullptr || twin.empty() ? label : labels_[pool].find(twin);
}

Ternary NodeMap::meets(std::size_t pool, NodeRequirement requirement) const {
  if (const PoolLabel* const label = find(pool, requirement.key)) {
    requirement.key = label->key;
    return matches(requirement, labels_[pool]);
  }
  const bool is_node = this->pool(pool).source == NodePool::Source::node;
  return is_node && carries(requirement.key) ? matches(requirement, labels_[pool])
                                             : Ternary::unknown;
}

std::string NodeMap::values_text(const Pools& pools, std::string_view key) const {
  std::set<std::string> values;
  for (const std::size_t pool : pools) {
    const PoolLabel* const label = find(pool, key);
    const bool has_values = label != nullptr && (label->known == PoolLabel::Known::exact ||
                                                 label->known == PoolLabel::Known::one_of);
    if (has_values) values.insert(label->values.begin(), label->values.end());
  }
  return list({values.begin(), values.end()});
}

Node NodeMap::label_node(std::size_t index, std::string_view key) const {
  const PoolLabel* const label = find(index, key);
  return label != nullptr && label->node ? value_node(*label) : name_node(pool(index));
}

}  // namespace gpulint
