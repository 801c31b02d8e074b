#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "compiler/model/corpus.h"
#include "rules/support/dra_queries.h"

namespace gpulint::rules::gpu_count_in_command {

/// How many whole devices a container gets, each for one process.
struct GivenDevices {
  std::int64_t amount = 0;
  std::int64_t most = 0;  ///< Processes that get a device each: most_processes().
  std::string what;  ///< `nvidia.com/gpu`; devices of a claim.
  Node node;         ///< What says so.
};

/// By its limits (find_devices), or by its claims alone; nullopt where that is open, or none are.
/// Of claims such count whose object is in the scope and whose requests all ask for so many GPUs of
/// NVIDIA's own class (resource.k8s.io: `ExactCount`, one where no count is written).
[[nodiscard]] std::optional<GivenDevices> given_devices(const Container& container,
                                                        const PodSpec& pod,
                                                        const ClaimIndex& claims);

}  // namespace gpulint::rules::gpu_count_in_command
