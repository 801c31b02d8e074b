#include "compiler/model/dra/allocate.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace gpulint::dra {
namespace {

using PoolKey = std::pair<std::string, std::string>;

/// Whether the slice has devices for the node; nullopt: unknown.
[[nodiscard]] std::optional<bool> is_relevant(const Slice& slice, const NodeView& node) {
  if (slice.nodes.is_given()) return chooses(slice.nodes, node);
  if (!slice.chooses_per_device) return false;
  for (const Device& device : slice.devices) {
    const std::optional<bool> chosen = chooses(device.nodes, node);
    if (!chosen || *chosen) return chosen;
  }
  return false;
}

/// The slices of the pool's generation, including those for other nodes; `is_obsolete`: there is a
/// newer generation.
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

/// Removes what claims have from a slice's devices.
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

using Answer = Allocation::Answer;

[[nodiscard]] bool tolerates_taint(const Toleration& toleration, const Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.op == "Exists") return true;
  return (toleration.op.empty() || toleration.op == "Equal") && toleration.value == taint.value;
}

/// The mark of devices that no claim of the pod has.
constexpr std::size_t other_claims = SIZE_MAX;

/// The names of a request in constraints.
[[nodiscard]] std::pair<std::string, std::string> names_of(const Request& request,
                                                           const Wanted& wanted) {
  return {request.name, request.is_choice ? wanted.name : std::string()};
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
      // another node's slice is for another node, whatever it contains
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

bool Search::tolerates(const Wanted& wanted, const Device& device) const {
  return std::ranges::all_of(device.taints, [&](const Taint& taint) {
    if (taint.effect != "NoSchedule" && taint.effect != "NoExecute") return true;
    return std::ranges::any_of(wanted.tolerations, [&](const Toleration& toleration) {
      return tolerates_taint(toleration, taint);
    });
  });
}

bool Search::reserve(const Candidate& candidate) {
  const Pool& pool = gathered_.pools[candidate.pool];
  bool fits = !pool.is_overdrawn;
  for (const Counters& use : candidate.device->uses) {
    for (const auto& [name, amount] : use.amounts) {
      Quantity& consumed = consumed_[{candidate.pool, use.set, name}];
      consumed = consumed + amount;
      if (consumed > pool.counters.at(use.set).at(name)) fits = false;
    }
  }
  if (!fits) release(candidate);
  return fits;
}

void Search::release(const Candidate& candidate) {
  for (const Counters& use : candidate.device->uses) {
    for (const auto& [name, amount] : use.amounts) {
      Quantity& consumed = consumed_[{candidate.pool, use.set, name}];
      consumed = consumed - amount;
    }
  }
}

Step Search::take(const Position& at, const Candidate& candidate, bool must, Undo& undo) {
  const Device& device = *candidate.device;
  const Wanted& wanted = *prepared(at).wanted;
  const auto [request, alternative] = names_of(claims_[at.claim].requests[at.request], wanted);
  if (!device.is_open) {
    std::vector<Consumption>& shares = shares_[&device];
    const bool is_charged = device.allows_many && !shares.empty();
    if (!is_charged && !device.uses.empty()) {
      if (!reserve(candidate)) return Step::none;
      undo.has_counters = true;
    }
    bool fits = tolerates(wanted, device);
    const bool is_partial = device.view.is_partial && !constraints_[at.claim].empty();
    if (is_partial) is_open_ = true;
    for (ConstraintState& constraint : constraints_[at.claim]) {
      if (!fits || is_partial) break;
      if (!constraint.add(request, alternative, device)) {
        put_back(at, candidate, undo);
        return must ? fail("a constraint prevents a claim from receiving all devices") : Step::none;
      }
      ++undo.constraints;
    }
    CapacityAnswer capacity;
    if (fits) capacity = take_capacity(device, wanted.capacity, sum_of(shares));
    if (capacity.kind == CapacityAnswer::Kind::error) {
      return fail("a requested capacity exceeds the scheduler's arithmetic");
    }
    if (!fits || capacity.kind != CapacityAnswer::Kind::fits) {
      put_back(at, candidate, undo);
      return Step::none;
    }
    if (device.allows_many) {
      shares.push_back(capacity.taken);
      undo.has_capacity = true;
    }
  }
  if (!device.allows_many) {
    marks_[&device].insert(at.claim);
    undo.is_marked = true;
  }
  const std::string name = alternative.empty() ? request : request + "/" + alternative;
  const Pool& pool = gathered_.pools[candidate.pool];
  result_[at.claim].push_back({&device, name, pool.driver, pool.name});
  return Step::found;
}

/// Undoes the changes in `undo`; returns the caller's result.
void Search::put_back(const Position& at, const Candidate& candidate, const Undo& undo) {
  const Wanted& wanted = *prepared(at).wanted;
  const auto [request, alternative] = names_of(claims_[at.claim].requests[at.request], wanted);
  if (undo.has_capacity) shares_[candidate.device].pop_back();
  if (undo.is_marked) {
    auto& marks = marks_[candidate.device];
    marks.erase(marks.find(at.claim));
  }
  for (std::size_t i = undo.constraints; i-- > 0;) {
    constraints_[at.claim][i].remove(request, alternative);
  }
  if (undo.has_counters) release(candidate);
}

bool Search::is_taken(const Position& at, const Device& device) const {
  const auto marks = marks_.find(&device);
  if (marks == marks_.end()) return false;
  const bool is_admin =
      claims_[at.claim].requests[at.request].alternatives[at.alternative].is_admin;
  return is_admin ? marks->second.contains(at.claim) : !marks->second.empty();
}

Step Search::take_and_go_on(const Position& at, const Candidate& candidate, bool must,
                            std::size_t start) {
  Undo undo;
  const Step taken = take(at, candidate, must, undo);
  if (taken != Step::found) return taken;
  Position following = at;
  ++following.device;
  const Step step = next(following, start);
  if (step == Step::found) return step;
  result_[at.claim].pop_back();
  put_back(at, candidate, undo);
  return step;
}

Step Search::next_of_all(const Position& at) {
  const Candidate& candidate = prepared(at).all[static_cast<std::size_t>(at.device)];
  if (is_taken(at, *candidate.device)) return Step::none;
  return take_and_go_on(at, candidate, true, 0);
}

/// Tries the alternatives of a request in order.
Step Search::choose(Position at) {
  bool all_too_many = true;
  const std::size_t count = prepared_[at.claim][at.request].size();
  at.is_chosen = true;
  for (at.alternative = 0; at.alternative < count; ++at.alternative) {
    const Step step = next(at, 0);
    if (step == Step::too_many) continue;
    all_too_many = false;
    if (step != Step::none) return step;
  }
  return all_too_many ? Step::too_many : Step::none;
}

/// Tries one candidate for the next device; `none`: try the next candidate.
Step Search::try_device(const Position& at, std::size_t index) {
  if (is_exhausted()) return Step::stop;
  const Candidate& candidate = candidates_[index];
  if (is_taken(at, *candidate.device)) return Step::none;
  bool failed = false;
  if (!is_selectable(prepared(at), candidate, failed)) return failed ? Step::stop : Step::none;
  return take_and_go_on(at, candidate, false, index + 1);
}

bool Search::may_suffice(const Position& at, std::size_t start) {
  const Prepared& request = prepared(at);
  // an amount may exceed the scheduler's arithmetic on a device that was not reached
  if (!request.wanted->capacity.empty()) return true;
  std::int64_t left = 0;
  for (std::size_t i = start; i < candidates_.size(); ++i) {
    if (request.selected[i] == Selected::unknown) return true;
    if (request.selected[i] == Selected::yes) ++left;
  }
  return left >= request.count - at.device;
}

Step Search::next(Position at, std::size_t start) {
  if (is_exhausted()) return Step::stop;
  if (at.claim >= claims_.size()) return Step::found;
  if (at.request >= claims_[at.claim].requests.size()) {
    const Step step = next({.claim = at.claim + 1}, 0);
    // another choice in an earlier claim may leave fewer devices here
    return step == Step::too_many ? Step::none : step;
  }
  const bool is_choice = claims_[at.claim].requests[at.request].is_choice;
  if (is_choice && !at.is_chosen) return choose(at);
  const Prepared& request = prepared(at);
  if (request.wanted->all && request.all.empty()) return Step::none;
  if (at.device >= request.count) {
    return next({.claim = at.claim, .request = at.request + 1}, 0);
  }
  const auto taken = static_cast<std::int64_t>(result_[at.claim].size());
  if (request.count - at.device > most_devices - taken) return Step::too_many;
  if (request.wanted->all) return next_of_all(at);
  if (!may_suffice(at, start)) return Step::none;
  for (std::size_t i = start; i < candidates_.size(); ++i) {
    const Step step = try_device(at, i);
    if (step != Step::none) return step;
  }
  return Step::none;
}

Allocation Search::conclude(Step step) {
  Allocation allocation;
  const bool wants_all = std::ranges::any_of(claims_, [](const Claim& claim) {
    return std::ranges::any_of(claim.requests, [](const Request& request) {
      return std::ranges::any_of(request.alternatives, &Wanted::all);
    });
  });
  // Unknowns counted as the best case: if even that does not help, nothing does. But more devices
  // make `All` harder to satisfy.
  if (gives_up_) return allocation;
  if (step == Step::none) {
    if (is_open_ && wants_all) return allocation;
    const bool is_broken = std::ranges::any_of(
        gathered_.pools, [](const Pool& pool) { return pool.is_incomplete || pool.is_invalid; });
    allocation.answer = Answer::no;
    if (is_broken) allocation.why = "a pool is incomplete or invalid";
    return allocation;
  }
  if (is_open_) return allocation;
  allocation.answer = step == Step::found ? Answer::yes : Answer::error;
  if (step == Step::found) allocation.devices = std::move(result_);
  if (step == Step::too_many) why_ = "a claim can receive at most 32 devices";
  allocation.why = std::move(why_);
  return allocation;
}

Allocation Search::run() {
  const bool is_claim_open = std::ranges::any_of(claims_, &Claim::is_open);
  if (gathered_.is_open || is_claim_open) return {};
  for (std::size_t i = 0; i < gathered_.pools.size(); ++i) {
    for (const Slice* slice : gathered_.pools[i].slices) {
      for (const Device& device : slice->devices)
        candidates_.push_back({&device, slice, i, candidates_.size()});
    }
    for (const auto& [device, taken] : gathered_.pools[i].taken) {
      if (taken.is_whole) marks_[device].insert(other_claims);
      if (!taken.shares.empty()) shares_[device] = taken.shares;
    }
  }
  if (!prepare()) return conclude(Step::stop);
  return conclude(next({}, 0));
}

Allocation allocate(const Inventory& inventory, const Pools& pools, std::span<const Claim> claims,
                    const NodeView& node) {
  return Search(inventory, pools, claims, node).run();
}

}  // namespace gpulint::dra
