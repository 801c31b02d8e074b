#include "rules/autopilot-gpu-pod/autopilot.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "compiler/ir/read.h"
#include "compiler/model/pools/terraform.h"

namespace gpulint::rules::autopilot_gpu_pod {
namespace {

/// Autopilot's webhooks tell of themselves by annotations of this domain
/// (`autopilot.gke.io/resource-adjustment`).
constexpr std::string_view annotation_domain = "autopilot.gke.io/";

[[nodiscard]] Node annotation_of_autopilot(Node object) {
  for (const Node::Entry& entry : object.at("metadata", "annotations").fields()) {
    if (entry.key.text().starts_with(annotation_domain)) return entry.key;
  }
  return {};
}

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
    const Node annotation = annotation_of_autopilot(object.node);
    if (annotation) return annotation;
  }
  for (const NodePool& pool : corpus.cluster.pools) {
    // Autopilot's nodes are called so, those of Standard clusters `gke-…`.
    if (pool.name.starts_with("gk3-")) return pool.node.at("metadata", "name");
  }
  for (const Document* document : corpus.documents) {
    const Node plan = root(*document);
    if (!document->errors.empty() || !is_terraform(plan)) continue;
    if (const Node field = enabled_by_terraform(plan)) return field;
  }
  return {};
}

}  // namespace gpulint::rules::autopilot_gpu_pod
