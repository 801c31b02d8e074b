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
/// Of all nodes, whether or not they show GPUs: before a device plugin has run none does.
[[nodiscard]] std::optional<Platform> find_platform_of_all(const Cluster& cluster);

/// A release of K3s that makes no RuntimeClass by itself, of all nodes: later ones do
/// (NVIDIA/dcgm-exporter#291 lists them on a K3s of March 2024, k3s-io/k3s#4391 has to make one on
/// 1.24). Nothing where a node is of another kind or of a later release.
[[nodiscard]] std::optional<Platform> find_k3s_without_classes(const Cluster& cluster);

}  // namespace gpulint::rules::missing_runtime_class
