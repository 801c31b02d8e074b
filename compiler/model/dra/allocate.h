#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/model/dra/capacity.h"
#include "compiler/model/dra/constraints.h"
#include "compiler/model/dra/inventory.h"
#include "compiler/model/dra/objects.h"

namespace gpulint::dra {

/// The node to find devices for.
struct NodeView {
  std::string name;
  /// Whether a NodeSelector matches its labels and name; nullopt: unknown.
  std::function<std::optional<bool>(Node selector)> matches;
};

/// Whether the choice includes this node; nullopt: unknown.
[[nodiscard]] std::optional<bool> chooses(const NodeChoice& choice, const NodeView& node);

/// Whether devices that claims already have count.
enum class Occupancy : std::uint8_t { ignored, counted };

/// The parts of a device that are already taken.
struct Taken {
  bool is_whole = false;
  std::vector<Consumption> shares;
};

/// The devices of one driver and pool that a node can reach.
struct Pool {
  std::string driver;
  std::string name;
  bool is_incomplete = false;  ///< Slices are missing: the pool is being updated.
  bool is_invalid = false;     ///< Duplicate device names, or missing counters.
  bool has_conditions = false;
  std::vector<const Slice*> slices;
  std::map<std::string, std::map<std::string, Quantity>> counters;  ///< Without what is taken.
  bool is_overdrawn = false;  ///< More is taken from a counter than it has.
  std::map<const Device*, Taken> taken;
};

struct Pools {
  std::vector<Pool> pools;  ///< In the scheduler's order.
  bool is_open = false;     ///< The nodes or content of a slice are unknown.
};

/// Facts: k8s.io/dynamic-resource-allocation v0.37 (pools_incubating.go).
[[nodiscard]] Pools gather_pools(const Inventory& inventory, const NodeView& node,
                                 Occupancy occupancy);

// model/dra: ResourceSlices, DeviceClasses and claims → the devices that a pod gets on a node, as
// the structured allocator of Kubernetes decides. It does not know the rest of scheduling.

/// A device that a claim receives.
struct Allocated {
  const Device* device = nullptr;
  std::string request;  ///< `name`, or `name/alternative`.
  std::string driver;
  std::string pool;
};

struct Allocation {
  enum class Answer : std::uint8_t {
    no,
    yes,
    error,  ///< The scheduler stops: the pod fits no node.
    open
  };
  Answer answer = Answer::open;
  std::string why;                              ///< For errors.
  std::vector<std::vector<Allocated>> devices;  ///< By claim, if the answer is yes.
};

/// The limit of search steps and of tried devices; beyond it the answer is unknown.
inline constexpr std::uint32_t most_attempts = 50'000;

/// How many devices a claim may receive (AllocationResultsMaxSize).
inline constexpr std::int64_t most_devices = 32;

/// The devices that all claims of a pod receive on a node where nothing else runs: the first
/// solution in the order of the scheduler's structured allocator, with the features of Kubernetes
/// 1.37 that are not alpha. Facts: k8s.io/dynamic-resource-allocation v0.37
/// (allocator_incubating.go). `pools`: the result of gather_pools() for the node.
[[nodiscard]] Allocation allocate(const Inventory& inventory, const Pools& pools,
                                  std::span<const Claim> claims, const NodeView& node);

// The search of allocate(), for allocate.cpp (which devices) and prepare.cpp (what is known before
// the search).

/// How a part of the search ended.
enum class Step : std::uint8_t {
  found,
  none,
  too_many,  ///< A claim would receive more devices than allowed: the scheduler then tries fewer.
  stop       ///< An error, or the limit of steps.
};

/// A device with its slice and pool.
struct Candidate {
  const Device* device = nullptr;
  const Slice* slice = nullptr;
  std::size_t pool = 0;
  std::size_t index = 0;  ///< Among all candidates.
};

/// Whether a request's selectors select a candidate.
enum class Selected : std::uint8_t { unknown, yes, no };

/// One request or alternative, with what is known before the search.
struct Prepared {
  const Wanted* wanted = nullptr;
  const DeviceClass* device_class = nullptr;
  std::int64_t count = 0;
  std::vector<Candidate> all;      ///< For allocationMode All.
  std::vector<Selected> selected;  ///< By candidate.
};

/// The position in the search: the next device.
struct Position {
  std::size_t claim = 0;
  std::size_t request = 0;
  std::size_t alternative = 0;
  std::int64_t device = 0;
  bool is_chosen = false;  ///< An alternative is selected.
};

/// What one device changed, for undoing it.
struct Undo {
  std::size_t constraints = 0;
  bool has_counters = false;
  bool is_marked = false;
  bool has_capacity = false;
};

class Search {
 public:
  Search(const Inventory& inventory, const Pools& pools, std::span<const Claim> claims,
         const NodeView& node)
      : inventory_(inventory), gathered_(pools), claims_(claims), node_(node) {}

  [[nodiscard]] Allocation run();

 private:
  [[nodiscard]] Step fail(std::string why) {
    why_ = std::move(why);
    return Step::stop;
  }
  /// Counts a step; returns true at the limit.
  [[nodiscard]] bool is_exhausted() {
    gives_up_ = ++attempts_ > most_attempts;
    return gives_up_;
  }
  [[nodiscard]] bool prepare();
  [[nodiscard]] bool prepare_wanted(const Wanted& wanted, Prepared& prepared);
  [[nodiscard]] bool prepare_all(const Wanted& wanted, Prepared& prepared);
  [[nodiscard]] Prepared& prepared(const Position& at) {
    return prepared_[at.claim][at.request][at.alternative];
  }

  [[nodiscard]] Step next(Position at, std::size_t start);
  [[nodiscard]] Step choose(Position at);
  [[nodiscard]] Step next_of_all(const Position& at);
  [[nodiscard]] Step try_device(const Position& at, std::size_t index);
  /// Whether candidates from `start` on may be enough for the rest of a request. True until all of
  /// them have been checked: one on which a selector fails ends the search.
  [[nodiscard]] bool may_suffice(const Position& at, std::size_t start);
  /// Whether it is already taken, as far as the request is concerned.
  [[nodiscard]] bool is_taken(const Position& at, const Device& device) const;
  /// Takes the candidate, and continues the search from `start`; `must`: the request needs this
  /// one.
  [[nodiscard]] Step take_and_go_on(const Position& at, const Candidate& candidate, bool must,
                                    std::size_t start);
  [[nodiscard]] Step take(const Position& at, const Candidate& candidate, bool must, Undo& undo);
  void put_back(const Position& at, const Candidate& candidate, const Undo& undo);

  /// Whether class and request select the device; `failed` is set if an expression fails.
  [[nodiscard]] bool is_selectable(Prepared& request, const Candidate& candidate, bool& failed);
  [[nodiscard]] bool select(const Prepared& request, const Candidate& candidate, bool& failed);
  [[nodiscard]] bool tolerates(const Wanted& wanted, const Device& device) const;
  [[nodiscard]] bool reserve(const Candidate& candidate);
  void release(const Candidate& candidate);
  [[nodiscard]] Allocation conclude(Step step);

  const Inventory& inventory_;
  const Pools& gathered_;
  std::span<const Claim> claims_;
  const NodeView& node_;
  std::vector<Candidate> candidates_;
  std::vector<std::vector<std::vector<Prepared>>> prepared_;
  std::vector<std::vector<ConstraintState>> constraints_;
  std::map<const Device*, std::multiset<std::size_t>> marks_;  ///< The claims that have it.
  std::map<const Device*, std::vector<Consumption>> shares_;
  std::map<std::tuple<std::size_t, std::string, std::string>, Quantity> consumed_;
  std::vector<std::vector<Allocated>> result_;
  std::uint32_t attempts_ = 0;
  bool is_open_ = false;  ///< Something unknown was involved.
  bool gives_up_ = false;
  std::string why_;
};

}  // namespace gpulint::dra
