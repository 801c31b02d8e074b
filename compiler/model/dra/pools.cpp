#include "compiler/model/dra/pools.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace gpulint::dra {
namespace {

using PoolKey = std::pair<std::string, std::string>;

/// Whether the slice has something for the node; nullopt: open.
[[nodiscard]] std::optional<bool> is_relevant(const Slice& slice, const NodeView& node) {
  if (slice.nodes.is_given()) return chooses(slice.nodes, node);
  if (!slice.chooses_per_device) return false;
  for (const Device& device : slice.devices) {
    const std::optional<bool> chosen = chooses(device.nodes, node);
    if (!chosen || *chosen) return chosen;
  }
  return false;
}

/// The slices of the pool's generation, those for other nodes included; `is_obsolete`: there is a
/// newer one.
[[nodiscard]] std::vector<const Slice*> whole_pool(const Inventory& inventory, const PoolKey& key,
                                                   std::int64_t generation, bool& is_obsolete) {
  std::vector<const Slice*> whole;
  for (const Slice* slice : inventory.slices_of(key.first, key.second)) {
    if (slice->generation == generation) whole.push_back(slice);
    is_obsolete = is_obsolete || slice->generation > generation;
  }
  return whole;
}

[[nodiscard]] bool add_counter_sets(const Slice& slice, Pool& pool) {
  for (const Counters& counters : slice.counters) {
    std::map<std::string, Quantity> amounts;
    for (const auto& [name, amount] : counters.amounts) amounts.insert_or_assign(name, amount);
    if (!pool.counters.emplace(counters.set, std::move(amounts)).second) return false;
  }
  return true;
}

[[nodiscard]] bool has_all_counters(const Slice& slice, const Pool& pool) {
  for (const Device& device : slice.devices) {
    for (const Counters& use : device.uses) {
      const auto set = pool.counters.find(use.set);
      if (set == pool.counters.end()) return false;
      for (const auto& [name, amount] : use.amounts) {
        if (!set->second.contains(name)) return false;
      }
    }
  }
  return true;
}

/// Takes what claims have of a slice's devices.
void occupy(const Inventory& inventory, const Slice& slice, Pool& pool) {
  for (const Device& device : slice.devices) {
    const auto holdings = inventory.holdings_of(slice, device);
    if (holdings.empty()) continue;
    Taken& taken = pool.taken[&device];
    for (const Holding* held : holdings) {
      taken.is_whole = taken.is_whole || !held->is_share;
      if (!held->is_share) continue;
      Consumption& share = taken.shares.emplace_back();
      for (const auto& [name, amount] : held->capacity) share.insert_or_assign(name, amount);
    }
    for (const Counters& use : device.uses) {
      for (const auto& [name, amount] : use.amounts) {
        Quantity& left = pool.counters.at(use.set).at(name);
        left = left - amount;
        pool.is_overdrawn = pool.is_overdrawn || left.is_negative();
      }
    }
  }
}

/// `relevant`: the pool's slices for this node; `whole`: all of them.
void build(std::vector<const Slice*> relevant, const std::vector<const Slice*>& whole, Pool& pool) {
  std::ranges::sort(relevant, {}, &Slice::name);
  std::set<std::string> names;
  for (const Slice* slice : relevant) {
    if (!slice->counters.empty()) continue;
    pool.slices.push_back(slice);
    for (const Device& device : slice->devices) {
      pool.has_conditions = pool.has_conditions || device.has_conditions;
      if (!names.insert(device.name).second) pool.is_invalid = true;
    }
  }
  for (const Slice* slice : whole) {
    if (!add_counter_sets(*slice, pool)) pool.is_invalid = true;
  }
  for (const Slice* slice : whole) {
    const bool counts = slice->counters.empty();
    if (counts && !has_all_counters(*slice, pool)) pool.is_invalid = true;
  }
  if (pool.is_invalid) pool.slices.clear();
  if (pool.is_invalid) pool.has_conditions = false;
}

}  // namespace

std::optional<bool> chooses(const NodeChoice& choice, const NodeView& node) {
  if (!choice.name.empty()) return choice.name == node.name;
  if (choice.is_everywhere) return true;
  return choice.selector ? node.matches(choice.selector) : false;
}

Pools gather_pools(const Inventory& inventory, const NodeView& node, Occupancy occupancy) {
  Pools gathered;
  std::map<PoolKey, std::vector<const Slice*>> found;
  for (const Slice* slice : inventory.slices_for(node.name)) {
    const std::optional<bool> relevant = is_relevant(*slice, node);
    if (slice->is_open || !relevant) {
      // Another node's slice stays another node's, whatever else it holds.
      gathered.is_open = gathered.is_open || relevant.value_or(true) || !slice->nodes.is_given();
      continue;
    }
    if (!*relevant) continue;
    std::vector<const Slice*>& pool = found[{slice->driver, slice->pool}];
    if (!pool.empty() && slice->generation < pool.front()->generation) continue;
    if (!pool.empty() && slice->generation > pool.front()->generation) pool.clear();
    pool.push_back(slice);
  }
  for (const auto& [key, relevant] : found) {
    Pool pool;
    std::tie(pool.driver, pool.name) = key;
    const std::int64_t count = relevant.front()->count;
    std::vector<const Slice*> whole = relevant;
    if (static_cast<std::int64_t>(relevant.size()) != count) {
      bool is_obsolete = false;
      whole = whole_pool(inventory, key, relevant.front()->generation, is_obsolete);
      if (is_obsolete) continue;
      pool.is_incomplete = static_cast<std::int64_t>(whole.size()) != count;
    }
    if (!pool.is_incomplete) build(relevant, whole, pool);
    const bool is_occupied = occupancy == Occupancy::counted && !pool.is_incomplete;
    if (is_occupied && !pool.is_invalid) {
      for (const Slice* slice : whole) occupy(inventory, *slice, pool);
    }
    gathered.pools.push_back(std::move(pool));
  }
  std::ranges::stable_sort(gathered.pools, {}, &Pool::has_conditions);
  return gathered;
}

}  // namespace gpulint::dra
