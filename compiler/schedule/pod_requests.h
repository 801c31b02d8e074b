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
  bool is_open = false;     ///< A part of it is unknown; `amount` is the rest.
  Node node;                ///< The key of the largest contribution.
};

/// An amount as the scheduler counts it: thousandths of `cpu`, whole units of other resources.
[[nodiscard]] std::int64_t count_of(std::string_view resource, const Quantity& amount);

/// The requests of a pod, sorted by name; includes zero amounts.
struct PodRequests {
  std::vector<PodRequest> resources;
  /// A whole map of resources is unknown: the pod may request anything.
  bool is_open = false;

  [[nodiscard]] const PodRequest* find(std::string_view name) const;
};

/// As the scheduler computes them: after defaulting (requests from limits), from init containers,
/// sidecars, containers, pod-level resources and overhead. Without resources that the scheduler
/// does not count.
[[nodiscard]] PodRequests compute_requests(const PodSpec& pod);

/// One resource of init containers, sidecars and containers together, before pod-level resources
/// and overhead. Includes resources that the scheduler does not count.
struct AggregatedRequest {
  std::string name;
  Quantity amount;
  bool is_open = false;
};
[[nodiscard]] std::vector<AggregatedRequest> aggregate_container_requests(const PodSpec& pod);

/// The requests of one container after defaulting: its limit for each resource without a request.
[[nodiscard]] std::vector<ResourceEntry> defaulted_requests(const ResourceRequirements& resources);

}  // namespace gpulint
