#include "rules/missing-runtime-class/platform.h"

#include <algorithm>
#include <string>

#include "compiler/ir/read.h"
#include "rules/support/distribution.h"

namespace gpulint::rules::missing_runtime_class {
namespace {

/// canonical/microk8s-core-addons#400: the addon no longer makes it the default.
constexpr std::string_view microk8s_label = "microk8s.io/cluster";
/// The GPU operator's toolkit may make NVIDIA's runtime the default.
constexpr std::string_view toolkit_label = "nvidia.com/gpu.deploy.container-toolkit";

/// Told by the version of the node's kubelet, by its image or a label; pods need the class where
/// the sources here say so.
[[nodiscard]] std::optional<Platform> platform_of(const NodePool& node) {
  for (const PoolLabel& label : node.labels) {
    if (label.key == toolkit_label) return std::nullopt;
  }
  for (const PoolLabel& label : node.labels) {
    if (label.key == microk8s_label) return Platform{"MicroK8s", label.node};
  }
  const Node info = node.node.at("status", "nodeInfo");
  const auto told = distribution_of(read_string(info, "kubeletVersion").value_or(""));
  // docs.k3s.io/advanced, «Alternative Container Runtime Support»; k3s-io/k3s#10034
  if (told == Distribution::k3s) return Platform{"k3s", info.get("kubeletVersion")};
  // docs.rke2.io/add-ons/gpu_operators: needed but where the GPU operator is v25.10 or later, of
  // which its toolkit's label tells; skypilot-org/skypilot#2957
  if (told == Distribution::rke2) return Platform{"RKE2", info.get("kubeletVersion")};
  // Talos Linux 1.9, «NVIDIA GPU (OSS drivers)»: making it the default is an option
  const std::string image = read_string(info, "osImage").value_or("");
  if (image.find("Talos (") != std::string::npos) return Platform{"Talos", info.get("osImage")};
  return std::nullopt;
}

}  // namespace

std::optional<Platform> find_platform(const Cluster& cluster) {
  return of_gpu_nodes(cluster, platform_of);
}

std::optional<Platform> find_platform_of_all(const Cluster& cluster) {
  std::optional<Platform> found;
  for (const NodePool& pool : cluster.pools) {
    const auto platform = platform_of(pool);
    if (!platform) return std::nullopt;
    if (!found) found = platform;
  }
  return found;
}

std::optional<Platform> find_k3s_without_classes(const Cluster& cluster) {
  static constexpr std::string_view releases[] = {"v1.20.", "v1.21.", "v1.22.", "v1.23.", "v1.24."};
  std::optional<Platform> found;
  for (const NodePool& pool : cluster.pools) {
    const Node version = pool.node.at("status", "nodeInfo", "kubeletVersion");
    const std::string_view text = version.text();
    const bool is_old = distribution_of(text) == Distribution::k3s &&
                        std::ranges::any_of(releases, [&](std::string_view release) {
                          return text.starts_with(release);
                        });
    if (!is_old) return std::nullopt;
    if (!found) found = Platform{"K3s of this age", version};
  }
  return found;
}

}  // namespace gpulint::rules::missing_runtime_class
