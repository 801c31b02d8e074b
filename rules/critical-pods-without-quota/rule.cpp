#include "compiler/engine/rule.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "compiler/base/text.h"
#include "compiler/ir/read.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/schedule/gpu_daemon.h"
#include "rules/support/placement_causes.h"

namespace gpulint::rules::critical_pods_without_quota {
namespace {

constexpr auto critical_classes =
    std::to_array<std::string_view>({"system-cluster-critical", "system-node-critical"});
constexpr std::string_view gke_pool_label = "cloud.google.com/gke-nodepool";

/// The label of a Node that only GKE sets; null if no Node has it.
[[nodiscard]] Node find_gke_node(const Cluster& cluster) {
  for (const NodePool& pool : cluster.pools) {
    if (pool.source != NodePool::Source::node) continue;
    const PoolLabel* const found = find_label(pool, gke_pool_label);
    if (found != nullptr && found->node) return found->node;
  }
  return {};
}

/// Namespaces where GKE admits critical pods by default.
[[nodiscard]] bool is_open_by_itself(std::string_view name_space) {
  return name_space == "kube-system" || name_space.starts_with("gke-") ||
         name_space.starts_with("gmp-");
}

/// Whether a quota with scopes may be in the namespace.
[[nodiscard]] bool has_quota(const Corpus& corpus, const std::string& name_space) {
  return std::ranges::any_of(corpus.objects, [&](const KubernetesObject& object) {
    if (!object.kind.equals("ResourceQuota")) return false;
    const Field<std::string> home = read_string(object.node.get("metadata"), "namespace");
    if (home.is_known() && home.value() != name_space) return false;
    return object.node.at("spec", "scopeSelector") || object.node.at("spec", "scopes");
  });
}

void check_workload(const Corpus& corpus, Reporter& reporter, const Workload& workload, Node gke) {
  const Field<std::string> home = read_string(workload.object.get("metadata"), "namespace");
  if (!home.is_known() || is_open_by_itself(home.value()) || !find_gpu_daemon(workload)) return;
  const Field<std::string> priority = read_string(workload.pod.node, "priorityClassName");
  const bool is_critical = priority.is_known() && is_listed(critical_classes, priority.value());
  if (!is_critical || has_quota(corpus, home.value())) return;
  reporter
      .report(priority.node(),
              "GKE rejects `{}` pods, because namespace `{}` has no ResourceQuota for them",
              priority.value(), home.value())
      .related(home.node(), fmt::format("{} is in this namespace", describe(workload)))
      .related(gke, "this label shows that the cluster runs on GKE")
      .help(
          "add a ResourceQuota with `PriorityClass In [{}]` in `scopeSelector`, or move the "
          "DaemonSet to `kube-system`. Otherwise the DaemonSet gets no pods: `insufficient quota "
          "to match these scopes`",
          priority.value());
}

void check(const Corpus& corpus, Reporter& reporter) {
  const Node gke = find_gke_node(corpus.cluster);
  if (!gke) return;
  for (const Workload& workload : corpus.workloads) {
    if (workload.origin == Workload::Origin::manifest) {
      check_workload(corpus, reporter, workload, gke);
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators", .severity = Severity::warning},
                                 .check = check};

}  // namespace gpulint::rules::critical_pods_without_quota
