#pragma once

// model/dra: ResourceSlices, DeviceClasses and claims → the devices that a pod gets on a node, as
// the structured allocator of Kubernetes decides. It does not know the rest of scheduling.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compiler/model/dra/inventory.h"
#include "compiler/model/dra/objects.h"
#include "compiler/model/dra/pools.h"

namespace gpulint::dra {

/// A device that a claim gets.
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
    error,  ///< The scheduler gives the pod up on every node.
    open
  };
  Answer answer = Answer::open;
  std::string why;                              ///< Of errors.
  std::vector<std::vector<Allocated>> devices;  ///< Of each claim, where the answer is yes.
};

/// Steps of a search, and devices that it tries; beyond that the answer is open.
inline constexpr std::uint32_t most_attempts = 50'000;
/// How many devices a claim may get (AllocationResultsMaxSize).
inline constexpr std::int64_t most_devices = 32;

/// Which devices all claims of a pod get on a node where nothing else runs: the first solution in
/// the order of the scheduler's structured allocator, with the features of Kubernetes 1.37 that are
/// not alpha. Facts: k8s.io/dynamic-resource-allocation v0.37 (allocator_incubating.go).
/// `pools`: what gather_pools() finds for the node.
[[nodiscard]] Allocation allocate(const Inventory& inventory, const Pools& pools,
                                  std::span<const Claim> claims, const NodeView& node);

}  // namespace gpulint::dra
