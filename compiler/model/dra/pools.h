#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "compiler/model/dra/capacity.h"
#include "compiler/model/dra/inventory.h"
#include "compiler/model/dra/objects.h"

namespace gpulint::dra {

/// The node that devices are sought for.
struct NodeView {
  std::string name;
  /// Whether a NodeSelector matches its labels and name; nullopt: open.
  std::function<std::optional<bool>(Node selector)> matches;
};

/// Whether what is chosen is this node; nullopt: open.
[[nodiscard]] std::optional<bool> chooses(const NodeChoice& choice, const NodeView& node);

/// Whether what claims have already counts.
enum class Occupancy : std::uint8_t { ignored, counted };

/// What is taken of a device already.
struct Taken {
  bool is_whole = false;
  std::vector<Consumption> shares;
};

/// The devices of one driver and pool that a node can reach.
struct Pool {
  std::string driver;
  std::string name;
  bool is_incomplete = false;  ///< Slices are missing: being updated.
  bool is_invalid = false;     ///< Device names twice, or counters that are not there.
  bool has_conditions = false;
  std::vector<const Slice*> slices;
  std::map<std::string, std::map<std::string, Quantity>> counters;  ///< Without what is taken.
  bool is_overdrawn = false;  ///< More is taken of a counter than there is.
  std::map<const Device*, Taken> taken;
};

struct Pools {
  std::vector<Pool> pools;  ///< In the order in which the scheduler tries them.
  bool is_open = false;     ///< What a slice is for, or what it holds, is not known.
};
/// Facts: k8s.io/dynamic-resource-allocation v0.37 (pools_incubating.go).
[[nodiscard]] Pools gather_pools(const Inventory& inventory, const NodeView& node,
                                 Occupancy occupancy);

}  // namespace gpulint::dra
