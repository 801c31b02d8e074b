#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "compiler/model/pools/cluster.h"
#include "compiler/schedule/pool_accelerators.h"

namespace gpulint::rules {

/// Distributions of Kubernetes that run a containerd of their own.
enum class Distribution : std::uint8_t { k3s, rke2, k0s };

/// By a Node's `status.nodeInfo.kubeletVersion`, such as `v1.31.4+k3s1`; nullopt if it is another
/// or unknown.
[[nodiscard]] std::optional<Distribution> distribution_of(std::string_view kubelet_version);

/// The result of `of(node)`, an optional, for the first node that may have GPUs; nullopt if it is
/// nullopt for one of these nodes, or if there is none.
template <class Of>
[[nodiscard]] std::invoke_result_t<Of&, const NodePool&> of_gpu_nodes(const Cluster& cluster,
                                                                      Of of) {
  std::invoke_result_t<Of&, const NodePool&> first;
  for (const NodePool& node : cluster.pools) {
    if (has_accelerators(node) == Ternary::no) continue;
    auto found = of(node);
    if (!found) return std::nullopt;
    if (!first) first = std::move(found);
  }
  return first;
}

}  // namespace gpulint::rules
