#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace gpulint::rules::removed_api_version {

/// Kinds that run GPU workloads or describe GPU nodes.
inline constexpr std::array<std::string_view, 13> gpu_kinds{
    "CronJob",     "DaemonSet",   "Deployment", "JobSet",     "LeaderWorkerSet",
    "MPIJob",      "Provisioner", "PyTorchJob", "ReplicaSet", "RuntimeClass",
    "StatefulSet", "TFJob",       "TfJob"};

/// Kinds whose fields changed with their version, so that renaming it is not enough (Kubernetes,
/// Deprecated API Migration Guide; the operators' own schemas).
inline constexpr std::array<std::string_view, 10> rewritten_kinds{"CustomResourceDefinition",
                                                                  "HorizontalPodAutoscaler",
                                                                  "Ingress",
                                                                  "JobSet",
                                                                  "MPIJob",
                                                                  "PodSecurityPolicy",
                                                                  "Provisioner",
                                                                  "PyTorchJob",
                                                                  "TFJob",
                                                                  "TfJob"};

/// Kinds of `apps/v1`, which requires the selector that older versions copied from the template.
inline constexpr std::array<std::string_view, 4> selecting_kinds{"DaemonSet", "Deployment",
                                                                 "ReplicaSet", "StatefulSet"};

template <class Kinds>
[[nodiscard]] constexpr bool is_one_of(const Kinds& kinds, std::string_view kind) {
  return std::ranges::find(kinds, kind) != kinds.end();
}

}  // namespace gpulint::rules::removed_api_version
