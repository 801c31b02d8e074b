#include "compiler/dra/allocate.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "compiler/dra/capacity.h"
#include "compiler/dra/constraints.h"

namespace gpulint::dra {
namespace {

using Answer = Allocation::Answer;

/// How a part of the search ended.
enum class Step : std::uint8_t {
  found,
  none,
  too_many,  ///< A claim would get more devices than it may: the scheduler tries less then.
  stop       ///< An error, or too much work.
};

/// A device and where it stands.
struct Candidate {
  const Device* device = nullptr;
  const Slice* slice = nullptr;
  std::size_t pool = 0;
};

/// One request or alternative, with what was found out before the search.
struct Prepared {
  const Wanted* wanted = nullptr;
  const DeviceClass* device_class = nullptr;
  std::int64_t count = 0;
  std::vector<Candidate> all;  ///< Of allocationMode All.
};

/// The device that is sought next.
struct Position {
  std::size_t claim = 0;
  std::size_t request = 0;
  std::size_t alternative = 0;
  std::int64_t device = 0;
  bool is_chosen = false;  ///< An alternative has been picked.
};

/// What one device changed, to be undone.
struct Undo {
  bool is_open = false;
  std::size_t constraints = 0;
  bool has_counters = false;
  bool is_marked = false;
  bool has_capacity = false;
  Consumption taken;
};

class Search {
 public:
  Search(const Inventory& inventory, std::span<const Claim> claims, const NodeView& node)
      : inventory_(inventory), claims_(claims), node_(node) {}

  [[nodiscard]] Allocation run();

 private:
  [[nodiscard]] Step fail(std::string why) {
    why_ = std::move(why);
    return Step::stop;
  }
  [[nodiscard]] bool prepare();
  [[nodiscard]] bool prepare_wanted(const Wanted& wanted, Prepared& prepared);
  [[nodiscard]] bool prepare_all(const Wanted& wanted, Prepared& prepared);
  [[nodiscard]] Prepared& prepared(const Position& at) {
    return prepared_[at.claim][at.request][at.alternative];
  }

  [[nodiscard]] Step next(Position at, std::size_t start);
  [[nodiscard]] Step choose(Position at);
  [[nodiscard]] Step next_of_all(Position at);
  [[nodiscard]] Step try_device(const Position& at, std::size_t index);
  [[nodiscard]] Step take(const Position& at, const Candidate& candidate, bool must, Undo& undo);
  void put_back(const Position& at, const Candidate& candidate, const Undo& undo);

  /// Whether class and request select the device; `failed` where an expression fails.
  [[nodiscard]] bool is_selectable(const Prepared& request, const Candidate& candidate,
                                   bool& failed);
  [[nodiscard]] bool select(const Prepared& request, const Candidate& candidate, bool& failed);
  [[nodiscard]] bool tolerates(const Wanted& wanted, const Device& device) const;
  [[nodiscard]] bool reserve(const Candidate& candidate);
  void release(const Candidate& candidate);
  [[nodiscard]] Allocation conclude(Step step);

  const Inventory& inventory_;
  std::span<const Claim> claims_;
  const NodeView& node_;
  std::vector<Pool> pools_;
  std::vector<Candidate> candidates_;
  std::vector<std::vector<std::vector<Prepared>>> prepared_;
  std::vector<std::vector<ConstraintState>> constraints_;
  std::map<std::pair<const Prepared*, const Device*>, bool> selected_;
  std::map<const Device*, std::multiset<std::size_t>> marks_;  ///< The claims that hold it.
  std::map<const Device*, std::vector<Consumption>> shares_;
  std::map<std::tuple<std::size_t, std::string, std::string>, Quantity> consumed_;
  std::vector<std::vector<Allocated>> result_;
  std::uint32_t attempts_ = 0;
  bool is_open_ = false;  ///< Something open took part.
  bool gives_up_ = false;
  std::string why_;
};

[[nodiscard]] bool tolerates_taint(const Toleration& toleration, const Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.op == "Exists") return true;
  return (toleration.op.empty() || toleration.op == "Equal") && toleration.value == taint.value;
}

bool Search::tolerates(const Wanted& wanted, const Device& device) const {
  return std::ranges::all_of(device.taints, [&](const Taint& taint) {
    if (taint.effect != "NoSchedule" && taint.effect != "NoExecute") return true;
    return std::ranges::any_of(wanted.tolerations, [&](const Toleration& toleration) {
      return tolerates_taint(toleration, taint);
    });
  });
}

bool Search::select(const Prepared& request, const Candidate& candidate, bool& failed) {
  const Device& device = *candidate.device;
  if (device.is_open) {
    is_open_ = true;
    return true;
  }
  if (request.device_class == nullptr) is_open_ = true;
  for (const Selectors* selectors :
       {request.device_class == nullptr ? nullptr : &request.device_class->selectors,
        &request.wanted->selectors}) {
    if (selectors == nullptr) continue;
    for (const auto& selector : *selectors) {
      const cel::Match match = selector->match(device.view);
      if (match.verdict == cel::Verdict::no) return false;
      if (match.verdict == cel::Verdict::open) is_open_ = true;
      if (match.verdict != cel::Verdict::error) continue;
      failed = true;
      why_ = "the selector `" + selector->text() + "` fails on device " + device.name + ": " +
             match.text;
      return false;
    }
  }
  if (!candidate.slice->chooses_per_device) return true;
  const std::optional<bool> chosen = chooses(device.nodes, node_);
  if (!chosen) is_open_ = true;
  return chosen.value_or(true);
}

bool Search::is_selectable(const Prepared& request, const Candidate& candidate, bool& failed) {
  const auto key = std::pair(&request, candidate.device);
  if (const auto known = selected_.find(key); known != selected_.end()) return known->second;
  const bool selects = select(request, candidate, failed);
  if (!failed) selected_.emplace(key, selects);
  return selects;
}

bool Search::prepare_all(const Wanted& wanted, Prepared& prepared) {
  for (const Pool& pool : pools_) {
    if (pool.is_incomplete || pool.is_invalid) {
      why_ = "all devices are asked for, but the pool " + pool.name + " is incomplete or invalid";
      return false;
    }
  }
  for (const Candidate& candidate : candidates_) {
    bool failed = false;
    const bool selects = is_selectable(prepared, candidate, failed);
    if (failed) return false;
    if (!selects) continue;
    const CapacityAnswer capacity = take_capacity(*candidate.device, wanted.capacity, {});
    if (capacity.kind == CapacityAnswer::Kind::error) {
      why_ = "a capacity is asked for that is beyond the scheduler's arithmetic";
      return false;
    }
    if (capacity.kind == CapacityAnswer::Kind::fits) prepared.all.push_back(candidate);
  }
  prepared.count = static_cast<std::int64_t>(prepared.all.size());
  return true;
}

bool Search::prepare_wanted(const Wanted& wanted, Prepared& prepared) {
  prepared.wanted = &wanted;
  prepared.device_class = inventory_.find_class(wanted.device_class);
  if (prepared.device_class == nullptr && inventory_.has_all_classes) {
    why_ = "the device class " + wanted.device_class + " does not exist";
    return false;
  }
  if (prepared.device_class == nullptr || prepared.device_class->is_open) is_open_ = true;
  prepared.count = wanted.count;
  return !wanted.all || prepare_all(wanted, prepared);
}

/// False: an error, which needs no search.
bool Search::prepare() {
  prepared_.resize(claims_.size());
  result_.resize(claims_.size());
  constraints_.resize(claims_.size());
  for (std::size_t i = 0; i < claims_.size(); ++i) {
    std::int64_t least = 0;
    prepared_[i].resize(claims_[i].requests.size());
    for (std::size_t j = 0; j < claims_[i].requests.size(); ++j) {
      const Request& request = claims_[i].requests[j];
      // Addresses are keys of what was selected.
      prepared_[i][j].resize(request.alternatives.size());
      std::int64_t fewest = INT64_MAX;
      for (std::size_t k = 0; k < request.alternatives.size(); ++k) {
        if (!prepare_wanted(request.alternatives[k], prepared_[i][j][k])) return false;
        fewest = std::min(fewest, prepared_[i][j][k].count);
      }
      if (fewest > most_devices - least) {
        why_ = "a claim may get at most 32 devices";
        return false;
      }
      least += fewest;
    }
    for (const Constraint& constraint : claims_[i].constraints) {
      constraints_[i].emplace_back(constraint);
    }
  }
  return true;
}

bool Search::reserve(const Candidate& candidate) {
  const Pool& pool = pools_[candidate.pool];
  bool fits = true;
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

[[nodiscard]] Consumption sum_of(const std::vector<Consumption>& shares) {
  Consumption sum;
  for (const Consumption& share : shares) {
    for (const auto& [name, amount] : share) sum[name] = sum[name] + amount;
  }
  return sum;
}

/// The names that constraints know a request by.
[[nodiscard]] std::pair<std::string, std::string> names_of(const Request& request,
                                                           const Wanted& wanted) {
  return {request.name, request.is_choice ? wanted.name : std::string()};
}

Step Search::take(const Position& at, const Candidate& candidate, bool must, Undo& undo) {
  const Device& device = *candidate.device;
  const Wanted& wanted = *prepared(at).wanted;
  const auto [request, alternative] = names_of(claims_[at.claim].requests[at.request], wanted);
  const std::multiset<std::size_t>& marks = marks_[&device];
  if (wanted.is_admin ? !device.allows_many && marks.contains(at.claim) : !marks.empty()) {
    return Step::none;
  }
  undo = {};
  undo.is_open = device.is_open;
  if (!device.is_open) {
    std::vector<Consumption>& shares = shares_[&device];
    const bool is_charged = device.allows_many && !shares.empty();
    if (!is_charged && !device.uses.empty()) {
      if (!reserve(candidate)) return Step::none;
      undo.has_counters = true;
    }
    bool fits = tolerates(wanted, device);
    for (ConstraintState& constraint : constraints_[at.claim]) {
      if (!fits) break;
      if (!constraint.add(request, alternative, device)) {
        put_back(at, candidate, undo);
        return must ? fail("a constraint keeps a claim from getting all devices") : Step::none;
      }
      ++undo.constraints;
    }
    CapacityAnswer capacity;
    if (fits) capacity = take_capacity(device, wanted.capacity, sum_of(shares));
    if (capacity.kind == CapacityAnswer::Kind::error) {
      return fail("a capacity is asked for that is beyond the scheduler's arithmetic");
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
  const Pool& pool = pools_[candidate.pool];
  result_[at.claim].push_back({&device, name, pool.driver, pool.name});
  return Step::found;
}

/// Undoes what `undo` says was done; the result is the caller's.
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

Step Search::next_of_all(Position at) {
  const Candidate candidate = prepared(at).all[static_cast<std::size_t>(at.device)];
  Undo undo;
  const Step taken = take(at, candidate, true, undo);
  if (taken != Step::found) return taken;
  Position following = at;
  ++following.device;
  const Step step = next(following, 0);
  if (step == Step::found) return step;
  result_[at.claim].pop_back();
  put_back(at, candidate, undo);
  return step;
}

/// The alternatives of a request, one after the other.
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

/// One candidate for the device that is sought; `none`: the next one.
Step Search::try_device(const Position& at, std::size_t index) {
  const Candidate& candidate = candidates_[index];
  const Prepared& request = prepared(at);
  const auto& marks = marks_[candidate.device];
  if (request.wanted->is_admin ? marks.contains(at.claim) : !marks.empty()) return Step::none;
  bool failed = false;
  if (!is_selectable(request, candidate, failed)) return failed ? Step::stop : Step::none;
  Undo undo;
  const Step taken = take(at, candidate, false, undo);
  if (taken != Step::found) return taken;
  Position following = at;
  ++following.device;
  const Step step = next(following, index + 1);
  if (step == Step::found) return step;
  result_[at.claim].pop_back();
  put_back(at, candidate, undo);
  return step;
}

Step Search::next(Position at, std::size_t start) {
  if (++attempts_ > most_attempts) {
    gives_up_ = true;
    return Step::stop;
  }
  if (at.claim >= claims_.size()) return Step::found;
  if (at.request >= claims_[at.claim].requests.size()) {
    const Step step = next({.claim = at.claim + 1}, 0);
    // Another choice in an earlier claim may leave room for less here.
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
  // What is open was taken for what suits best: where even that does not help, nothing will. But
  // more devices make `All` harder.
  if (gives_up_) return allocation;
  if (step == Step::none) {
    if (is_open_ && wants_all) return allocation;
    const bool is_broken = std::ranges::any_of(
        pools_, [](const Pool& pool) { return pool.is_incomplete || pool.is_invalid; });
    allocation.answer = Answer::no;
    if (is_broken) allocation.why = "a pool is incomplete or invalid";
    return allocation;
  }
  if (is_open_) return allocation;
  allocation.answer = step == Step::found ? Answer::yes : Answer::error;
  if (step == Step::found) allocation.devices = std::move(result_);
  if (step == Step::too_many) why_ = "a claim may get at most 32 devices";
  allocation.why = std::move(why_);
  return allocation;
}

Allocation Search::run() {
  Pools gathered = gather_pools(inventory_.slices, node_);
  const bool is_claim_open = std::ranges::any_of(claims_, &Claim::is_open);
  if (gathered.is_open || is_claim_open) return {};
  pools_ = std::move(gathered.pools);
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    for (const Slice* slice : pools_[i].slices) {
      for (const Device& device : slice->devices) candidates_.push_back({&device, slice, i});
    }
  }
  if (!prepare()) return conclude(Step::stop);
  return conclude(next({}, 0));
}

}  // namespace

const DeviceClass* Inventory::find_class(std::string_view name) const {
  const auto found = std::ranges::find(classes, name, &DeviceClass::name);
  return found == classes.end() ? nullptr : &*found;
}

Allocation allocate(const Inventory& inventory, std::span<const Claim> claims,
                    const NodeView& node) {
  return Search(inventory, claims, node).run();
}

}  // namespace gpulint::dra
