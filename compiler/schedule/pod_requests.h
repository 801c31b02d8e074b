#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// How much of one resource the scheduler reserves for a pod.
struct PodRequest {
  std::string name;
  std::int64_t amount = 0;  ///< Whole units; thousandths of `cpu`.
  bool is_open = false;     ///< A part of it is filled in later; `amount` is the rest.
  Node node;                ///< The key of the largest contribution.
};

/// An amount as the scheduler counts it: thousandths of `cpu`, whole units of the rest.
[[nodiscard]] std::int64_t count_of(std::string_view resource, const Quantity& amount);

/// What a pod requests of a node, sorted by name; zero amounts included.
struct PodRequests {
  std::vector<PodRequest> resources;
  /// A whole map of resources is filled in later: anything may be requested.
  bool is_open = false;

  [[nodiscard]] const PodRequest* find(std::string_view name) const;
};

/// After defaulting (requests from limits), over init containers, sidecars, containers, pod-level
/// resources and overhead, as the scheduler sums them up. Resources that the scheduler does not
/// count are left out.
[[nodiscard]] PodRequests compute_requests(const PodSpec& pod);

/// The sum over init containers, sidecars and containers of one resource, before pod-level
/// resources and overhead; resources that the scheduler does not count included.
struct AggregatedRequest {
  std::string name;
  Quantity amount;
  bool is_open = false;
};
[[nodiscard]] std::vector<AggregatedRequest> aggregate_container_requests(const PodSpec& pod);

/// The requests of one container after defaulting: its limits where it says nothing else.
[[nodiscard]] std::vector<ResourceEntry> defaulted_requests(const ResourceRequirements& resources);

}  // namespace gpulint
