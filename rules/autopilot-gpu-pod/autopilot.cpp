#include "rules/autopilot-gpu-pod/autopilot.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "compiler/ir/read.h"
#include "compiler/model/pools/terraform.h"

namespace gpulint::rules::autopilot_gpu_pod {
namespace {

[[nodiscard]] Node enabling_field(Node object, std::string_view name) {
  return read_bool(object, name).equals(true) ? object.get(name) : Node{};
}

/// `enable_autopilot` of a `google_container_cluster`.
[[nodiscard]] Node enabled_by_terraform(Node plan) {
  Node found;
  walk(plan, [&](Node at) {
    if (found || !at.key() || at.key().text() != "enable_autopilot") return;
    found = enabling_field(at.parent(), "enable_autopilot");
  });
  return found;
}

/// Autopilot's nodes are called `gk3-…`, those of Standard clusters `gke-…`; one of both may be a
/// Standard cluster with Autopilot's compute classes.
[[nodiscard]] Node node_of_autopilot(const Cluster& cluster) {
  const bool are_all =
      !cluster.pools.empty() && std::ranges::all_of(cluster.pools, [](const NodePool& pool) {
        return pool.name.starts_with("gk3-");
      });
  return are_all ? cluster.pools.front().node.at("metadata", "name") : Node{};
}

}  // namespace

Node find_autopilot(const Corpus& corpus) {
  using Source = NodePool::Source;
  const bool has_pools = std::ranges::any_of(corpus.cluster.pools, [](const NodePool& pool) {
    return pool.source != Source::node &&
           !read_bool(pool.node.get("spec"), "enableAutopilot").equals(true);
  });
  if (has_pools) return {};
  for (const KubernetesObject& object : corpus.objects) {
    if (object.kind.equals("ContainerCluster")) {
      const Node field = enabling_field(object.node.get("spec"), "enableAutopilot");
      if (field) return field;
    }
  }
  if (const Node node = node_of_autopilot(corpus.cluster)) return node;
  for (const Document* document : corpus.documents) {
    const Node plan = root(*document);
    if (!document->errors.empty() || !is_terraform(plan)) continue;
    if (const Node field = enabled_by_terraform(plan)) return field;
  }
  return {};
}

}  // namespace gpulint::rules::autopilot_gpu_pod
