#pragma once

#include <optional>
#include <string_view>

#include "compiler/model/cluster.h"

namespace gpulint::rules::missing_runtime_class {

/// A distribution of Kubernetes whose containerd knows NVIDIA's runtime beside its default.
struct Platform {
  std::string_view name;
  Node evidence;  ///< What of a Node shows it.
};
/// Of all GPU nodes; nothing where one of them is of another kind, or where the GPU operator's
/// container toolkit sets the runtime up.
[[nodiscard]] std::optional<Platform> find_platform(const Cluster& cluster);

}  // namespace gpulint::rules::missing_runtime_class
