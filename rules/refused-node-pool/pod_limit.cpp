#include "rules/refused-node-pool/pod_limit.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/read.h"
#include "compiler/schedule/pool_accelerators.h"
#include "compiler/schedule/tolerate.h"
#include "rules/support/causes.h"

namespace gpulint::rules::refused_node_pool {
namespace {

using Source = NodePool::Source;

/// The number in the pool's EC2NodeClass; absent where there are several of the name.
[[nodiscard]] Field<std::int64_t> limit_of_class(const Corpus& corpus, const NodePool& pool) {
  const Field<std::string> name =
      read_string(pool.node.at("spec", "template", "spec", "nodeClassRef"), "name");
  Field<std::int64_t> found;
  for (const KubernetesObject& object : corpus.objects) {
    if (!name.is_known() || !object.kind.equals("EC2NodeClass")) continue;
    if (object_name(object.node) != name.value()) continue;
    if (!found.is_absent()) return {};
    found = read_int(object.node.at("spec", "kubelet"), "maxPods");
  }
  return found;
}

[[nodiscard]] Field<std::int64_t> most_pods(const Corpus& corpus, const NodePool& pool) {
  if (pool.source == Source::eksctl) return read_int(pool.node, "maxPodsPerNode");
  if (pool.source == Source::service_operator) return read_int(pool.node, "maxPods");
  if (pool.source == Source::karpenter_provisioner) {
    return read_int(pool.node.at("spec", "kubeletConfiguration"), "maxPods");
  }
  if (pool.source != Source::karpenter_node_pool) return {};
  Field<std::int64_t> own =
      read_int(pool.node.at("spec", "template", "spec", "kubelet"), "maxPods");
  return own.is_absent() ? limit_of_class(corpus, pool) : own;
}

/// Whether a pod of the DaemonSet is on each node of the pool: it chooses none, and tolerates what
/// they have.
[[nodiscard]] bool is_on_all(const Workload& workload, const NodePool& pool) {
  const PodSpec& pod = workload.pod;
  const bool is_plain = workload.kind.equals("DaemonSet") &&
                        workload.origin == Workload::Origin::manifest &&
                        pod.node_selector.empty() && !pod.node.get("affinity") &&
                        pod.scheduler_name.is_absent() && !pod.tolerations_opaque;
  const auto is_tolerated = [&](const Taint& taint) {
    return is_hard(taint) == Ternary::no || tolerated(pod.tolerations, taint) == Ternary::yes;
  };
  return is_plain && std::ranges::all_of(pool.taints, is_tolerated) &&
         std::ranges::all_of(pool.provider_taints, is_tolerated);
}

}  // namespace

void report_pod_limit(const Corpus& corpus, const NodePool& pool, Reporter& reporter) {
  const Field<std::int64_t> most = most_pods(corpus, pool);
  if (!most.is_known() || most.value() < 1 || has_accelerators(pool) != Ternary::yes) return;
  std::vector<const Workload*> daemons;
  for (const Workload& workload : corpus.workloads) {
    if (is_on_all(workload, pool)) daemons.push_back(&workload);
  }
  if (static_cast<std::int64_t>(daemons.size()) < most.value()) return;
  Finding finding =
      reporter.report(most.node(), "nodes of {} run {} pod{} at most, and {} {} on each of them",
                      describe(pool), most.value(), most.value() == 1 ? "" : "s",
                      most.value() == 1 ? describe(*daemons.front()) : "DaemonSets",
                      most.value() == 1 ? "is" : "are");
  finding.related(name_node(pool), "the pool")
      .help(
          "no other pod finds room there: DaemonSets count, too, and so do those that every "
          "cluster has (kube-proxy, the network's); raise `{}`",
          most.node().key().text());
  relate_workloads(finding, daemons);
}

}  // namespace gpulint::rules::refused_node_pool
