#include "rules/support/distribution.h"

#include <algorithm>

#include "compiler/model/deprecation_catalog.h"

namespace gpulint::rules {

std::optional<Distribution> distribution_of(std::string_view kubelet_version) {
  const auto has = [&](std::string_view mark) {
    return kubelet_version.find(mark) != std::string_view::npos;
  };
  if (has("+k3s")) return Distribution::k3s;
  if (has("+rke2")) return Distribution::rke2;
  if (has("+k0s")) return Distribution::k0s;
  return std::nullopt;
}

std::optional<int> newest_kubelet_minor(const Cluster& cluster) {
  std::optional<int> newest;
  for (const NodePool& pool : cluster.pools) {
    const auto minor =
        kubernetes_minor(pool.node.at("status", "nodeInfo", "kubeletVersion").text());
    if (minor) newest = std::max(*minor, newest.value_or(*minor));
  }
  return newest;
}

}  // namespace gpulint::rules
