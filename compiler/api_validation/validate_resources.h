#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/api_validation/api_problem.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// Pods default requests to limits; pod templates do not.
enum class RequestDefaulting : std::uint8_t { from_limits, none };

/// `limits` and `requests` of a container; `path` is that of its `resources`.
void validate_container_resources(const ResourceRequirements& resources, const std::string& path,
                                  RequestDefaulting defaulting, ApiReport& report);
/// Overhead is checked as limits.
void validate_overhead(const std::vector<ResourceEntry>& overhead, const std::string& path,
                       ApiReport& report);
/// Pod-level `spec.resources` against themselves and the containers.
void validate_pod_resources(const PodSpec& pod, const std::string& path,
                            RequestDefaulting defaulting, ApiReport& report);
/// `capacity` or `allocatable` of a Node.
void validate_node_resources(const std::vector<ResourceEntry>& resources, const std::string& path,
                             ApiReport& report);
/// `hard` of a ResourceQuota.
void validate_quota(const std::vector<ResourceEntry>& hard, const std::string& path,
                    ApiReport& report);

/// Quota items other than resources that any name may be: `limits.cpu`, `services`, `pods` …
[[nodiscard]] bool is_standard_quota_resource(std::string_view name);

}  // namespace gpulint
