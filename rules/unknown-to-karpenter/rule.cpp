#include "compiler/engine/rule.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/engine/reporter.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/facts/machine_catalog.h"
#include "compiler/model/pools/pool_facts.h"
#include "compiler/schedule/placement_analysis.h"
#include "compiler/schedule/pod_requests.h"
#include "rules/support/device_plugin.h"
#include "rules/support/placement_causes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::unknown_to_karpenter {
namespace {

/// Whether only Karpenter creates nodes here, from AWS machines, and no NodeOverlay declares more
/// devices than machines have.
[[nodiscard]] bool is_karpenters_alone(const Corpus& corpus) {
  const std::vector<NodePool>& pools = corpus.cluster.pools;
  const bool has_overlay = std::ranges::any_of(corpus.objects, [](const KubernetesObject& object) {
    return object.kind.equals("NodeOverlay");
  });
  return !pools.empty() && !has_overlay &&
         std::ranges::all_of(pools, [](const NodePool& pool) { return pool.karpenter != nullptr; });
}

/// A name that a device plugin or MIG offers only on a running node. Karpenter counts
/// nvidia.com/gpu, amd.com/gpu, aws.amazon.com/neuron, aws.amazon.com/neuroncore and
/// habana.ai/gaudi (Karpenter documentation, Scheduling, "Accelerators/GPU Resources";
/// kubernetes-sigs/karpenter#729).
[[nodiscard]] bool is_made_on_nodes(std::string_view name) {
  const GpuResource resource = classify_resource(name);
  return resource.kind == GpuResource::Kind::mig || resource.shared ||
         name == "aws.amazon.com/neurondevice";
}

/// The name that Karpenter knows for such devices.
[[nodiscard]] std::string_view known_name(std::string_view name) {
  return name.starts_with("aws.amazon.com/") ? "aws.amazon.com/neuron" : "nvidia.com/gpu";
}

/// The most that one machine of any pool has; nullopt if unknown.
[[nodiscard]] std::optional<std::int64_t> most_anywhere(const Cluster& cluster,
                                                        std::string_view resource) {
  std::int64_t most = 0;
  for (const NodePool& pool : cluster.pools) {
    const auto has = most_of(pool, resource);
    if (!has) return std::nullopt;
    most = std::max(most, *has);
  }
  return most;
}

/// The configuration that shares the device under its own name; nothing if there is none.
[[nodiscard]] Node find_sharing(const Corpus& corpus, std::string_view resource) {
  for (const Node root : device_plugin_config_roots(corpus.documents)) {
    const DevicePluginConfig config = read_device_plugin_config(root);
    for (const ReplicatedResource& replicated : config.replicated) {
      if (replicated.name == resource && replicated.rename.empty()) return replicated.node;
    }
  }
  return {};
}

void check_amount(const Corpus& corpus, Reporter& reporter, const Workload& workload,
                  const PodRequest& request) {
  const Node sharing = find_sharing(corpus, request.name);
  const auto most = sharing ? most_anywhere(corpus.cluster, request.name) : std::nullopt;
  if (!most || *most == 0 || request.amount <= *most) return;
  reporter
      .report(request.node,
              "{} requests {} `{}`, but a machine of Karpenter's pools has at most {}",
              describe(workload), request.amount, request.name, *most)
      .related(sharing, "Karpenter ignores this sharing when it decides whether to create a node")
      .help(
          "request at most {}, because Karpenter counts whole GPUs, not shared ones. Otherwise "
          "Karpenter creates no node for the pod",
          *most);
}

void check_workload(const Corpus& corpus, Reporter& reporter, const Workload& workload) {
  const PodRequests requests = compute_requests(workload.pod);
  for (const PodRequest& request : requests.resources) {
    if (!request.node || request.amount == 0) continue;
    if (!is_made_on_nodes(request.name)) {
      if (classify_resource(request.name).kind == GpuResource::Kind::device) {
        check_amount(corpus, reporter, workload, request);
      }
      continue;
    }
    reporter
        .report(request.node, "{} requests `{}`, but Karpenter creates no node for this resource",
                describe(workload), request.name)
        .related(name_node(corpus.cluster.pools.front()),
                 "Karpenter creates the nodes of this pool")
        .help(
            "request `{}`, because Karpenter knows only a fixed list of device resources. Or run "
            "the pod on nodes that you create without Karpenter",
            known_name(request.name));
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  if (!is_karpenters_alone(corpus)) return;
  for (const Workload& workload : corpus.workloads) {
    if (is_node_agent(workload) || !is_placement_known(workload)) continue;
    if (workload.origin == Workload::Origin::manifest) check_workload(corpus, reporter, workload);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "placement", .severity = Severity::warning},
                                 .check = check};

}  // namespace gpulint::rules::unknown_to_karpenter
