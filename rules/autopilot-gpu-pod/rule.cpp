#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "compiler/engine/reporter.h"
#include "compiler/ir/node.h"
#include "compiler/ir/read.h"
#include "compiler/model/corpus/corpus.h"
#include "compiler/model/pools/terraform.h"
#include "rules/support/causes.h"
#include "rules/support/queries.h"

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

/// What shows that the cluster is one of GKE Autopilot: Config Connector's or Terraform's cluster
/// with Autopilot enabled, or Nodes with the names that Autopilot gives; nothing where no input
/// does, or where a node pool is declared beside it.
[[nodiscard]] Node find_autopilot(const Corpus& corpus) {
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

constexpr std::string_view gpu = "nvidia.com/gpu";

constexpr std::string_view evidence = "what shows GKE Autopilot";

/// Whether the pod names the label in its selector or its required affinity, or may do so.
[[nodiscard]] bool selects(const PodSpec& pod, std::string_view key) {
  if (pod.node_selector_opaque || pod.affinity_opaque) return true;
  const auto is_key = [&](const LabelEntry& entry) { return entry.key.value == key; };
  return std::ranges::any_of(pod.node_selector, is_key) ||
         std::ranges::any_of(pod.node_affinity.required, [&](const SelectorTerm& term) {
           return std::ranges::any_of(term.expressions, [&](const SelectorRequirement& one) {
             return one.key.is_opaque() || one.key.value_or("") == key;
           });
         });
}

/// The request for an NVIDIA GPU that the pod makes first; null where none does.
[[nodiscard]] const ResourceEntry* find_request(const PodSpec& pod, bool is_init) {
  for (const Container& container : pod.containers) {
    if ((container.kind == ContainerKind::init) != is_init) continue;
    const ResourceEntry* const request = find_gpu_request(container);
    if (request == nullptr || request->name.value != gpu) continue;
    if (request->amount.is_known() && !request->amount.value().is_zero()) return request;
  }
  return nullptr;
}

/// GoogleCloudPlatform/ai-on-gke#983, substratusai/helm#8: autogke-gpu-limitation.
void check_selector(const Workload& workload, Node autopilot, Reporter& reporter) {
  const ResourceEntry* const request = find_request(workload.pod, false);
  if (request == nullptr || selects(workload.pod, "cloud.google.com/gke-accelerator") ||
      selects(workload.pod, "cloud.google.com/compute-class")) {
    return;
  }
  reporter
      .report(request->name.node, "GKE Autopilot refuses {}: it requests a GPU and says of no kind",
              describe(workload))
      .related(autopilot, std::string(evidence))
      .help(
          "select the GPU by `cloud.google.com/gke-accelerator`, or a compute class with GPUs by "
          "`cloud.google.com/compute-class`");
}

/// The same: autogke-node-affinity-selector-limitation.
void check_pool(const Workload& workload, Node autopilot, Reporter& reporter) {
  for (const LabelEntry& entry : workload.pod.node_selector) {
    if (entry.key.value != "cloud.google.com/gke-nodepool" || !entry.key.node) continue;
    reporter
        .report(entry.key.node, "GKE Autopilot refuses {}: it selects a node pool by its name",
                describe(workload))
        .related(autopilot, std::string(evidence))
        .help("Autopilot makes the pools itself: select what the nodes have instead");
  }
}

/// GoogleCloudPlatform/k8s-stackdriver#1079: autogke-gpu-limitation.
void check_toleration(const Workload& workload, Node autopilot, Reporter& reporter) {
  if (requests_gpu(workload.pod)) return;
  for (const Toleration& toleration : workload.pod.tolerations) {
    if (!toleration.key.equals(std::string(gpu)) || !toleration.key.node()) continue;
    if (!toleration.op.equals("Exists")) continue;
    reporter
        .report(toleration.key.node(),
                "GKE Autopilot refuses {}: it tolerates `{}` and requests no GPU",
                describe(workload), gpu)
        .related(autopilot, std::string(evidence))
        .help("leave the toleration out: Autopilot adds it to pods that request GPUs");
  }
}

/// ray-project/kuberay#1349.
void check_init(const Workload& workload, Node autopilot, Reporter& reporter) {
  const ResourceEntry* const request = find_request(workload.pod, true);
  if (request == nullptr) return;
  reporter
      .report(request->name.node, "GKE Autopilot refuses init containers that request GPUs, as {}",
              describe(workload))
      .related(autopilot, std::string(evidence))
      .help("request it in a main container")
      .severity(Severity::warning);
}

void check(const Corpus& corpus, Reporter& reporter) {
  const Node autopilot = find_autopilot(corpus);
  if (!autopilot) return;
  for (const Workload& workload : corpus.workloads) {
    if (workload.origin != Workload::Origin::manifest || workload.pod.containers.empty()) continue;
    if (!gpulint::rules::concerns_gpus(workload.pod)) continue;
    check_selector(workload, autopilot, reporter);
    check_pool(workload, autopilot, reporter);
    check_toleration(workload, autopilot, reporter);
    check_init(workload, autopilot, reporter);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "placement"}, .check = check};

}  // namespace gpulint::rules::autopilot_gpu_pod
