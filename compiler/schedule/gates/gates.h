#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/model/corpus/corpus.h"
#include "compiler/model/kinds/kueue.h"
#include "compiler/schedule/verdict.h"

namespace gpulint {

// Gates before the nodes, each made once for a scope, which must outlive it. Unless it says
// otherwise, a gate speaks of all workloads of manifests, whether they concern GPUs or not.

/// What one pod requests is compared with what the ResourceQuotas and LimitRanges of its namespace
/// give.
/// - A quota of `cpu` or `memory` also refuses pods with a container that does not set them: it
/// demands what it counts (Kubernetes 1.37, pkg/quota/v1/evaluator/core/pods.go, Constraints).
/// - A task of Flyte's that somebody declared may run in any of its namespaces: those that end in
/// one of Flyte's domains, and those of cluster resource templates with what `customData` has for
/// each domain (flyteorg/flyte, flyteadmin/pkg/clusterresource). Attributes of a project, which
/// flyteadmin has in its database, may say otherwise.
[[nodiscard]] FindObstacles make_quota_gate(const Corpus& corpus);

/// What a workload requests and the ClusterQueue behind its LocalQueue of Kueue never gives:
/// amounts, labels and taints of its flavors.
[[nodiscard]] FindObstacles make_kueue_gate(const Corpus& corpus);

/// ClusterQueues that do not select the namespaces of LocalQueues which lead to them: without a
/// `namespaceSelector` none is selected (kubernetes-sigs/kueue,
/// apis/kueue/v1beta1/clusterqueue_types.go: "defaults to null which is a nothing selector"). Each
/// keeps the workloads of that queue out.
struct ClosedQueue {
  Node local_queue;  ///< The LocalQueue.
  std::vector<Obstacle> obstacles;
};
[[nodiscard]] std::vector<ClosedQueue> find_closed_queues(const Corpus& corpus,
                                                          const KueueObjects& kueue);
[[nodiscard]] FindObstacles make_kueue_namespace_gate(const Corpus& corpus);

/// Pods that request more GPUs than `limit` of their queue of KAI-Scheduler, or of one above it
/// (kai-scheduler/KAI-Scheduler 026fe829f959, plugins/proportion, max_allowed_check.go), by
/// themselves or with the pods of their group; Jobs whose first pods together request more than
/// `capability` of their queue of Volcano's, or of one above it: each of their tasks.
[[nodiscard]] FindObstacles make_scheduler_queue_gate(const Corpus& corpus);

/// Containers that request more cards, or more of one, than any node has under HAMi or Volcano.
/// Pods of DaemonSets, which serve nodes, are left out.
[[nodiscard]] FindObstacles make_card_gate(const Corpus& corpus);

/// A level of Pod Security that refuses pods which need the host, and what says so.
struct EnforcedLevel {
  std::string level;  ///< `baseline` or `restricted`.
  Node where;
};
/// What a namespace enforces; nothing where it refuses nothing, or is not among the inputs.
[[nodiscard]] std::optional<EnforcedLevel> find_enforced_level(const Corpus& corpus,
                                                               const std::string& name);
/// What a namespace refuses by the Pod Security Standards (Kubernetes 1.37), Baseline: privileged
/// containers, host path volumes, host namespaces. What only `restricted` forbids is left out: much
/// of it has exceptions. Of workloads that state their namespace.
[[nodiscard]] FindObstacles make_pod_security_gate(const Corpus& corpus);

/// What GKE Autopilot refuses. That the cluster is one of Autopilot is shown by Config Connector's
/// or Terraform's cluster with Autopilot enabled, or by Nodes with the names that Autopilot gives,
/// where no node pool is declared beside it.
[[nodiscard]] FindObstacles make_autopilot_gate(const Corpus& corpus);

/// What keeps a pod from running on the node that it names in `nodeName`: shares of GPUs and claims
/// that a scheduler would have to assign, and where the node is given, GPUs that it lacks and
/// taints that evict the pod. A pod that has come up was taken by its node.
[[nodiscard]] FindObstacles make_bound_pod_gate(const Corpus& corpus);

/// Whether drivers of dynamic resource allocation have published what nodes have.
[[nodiscard]] bool has_slices(const Corpus& corpus);
/// Pods whose resource claims no known node has devices for: by its ResourceSlices, or where there
/// are none, by what its machines likely have; and those where all nodes that have them are closed
/// for another reason, unless a cause of the scope's placement says so.
[[nodiscard]] FindObstacles make_claim_gate(const Corpus& corpus);

/// Pods that concern GPUs and fit some node by themselves, but no node in the right place, on nodes
/// that get no more (Kubernetes 1.37, pkg/scheduler/framework/plugins):
/// - a bound claim, and the node affinity of its volume (volumebinding/binder.go,
///   checkBoundClaims). A volume that a CSI driver took over may have the twin of a zone's label;
/// - topology spread with `DoNotSchedule` (podtopologyspread/filtering.go): nodes without the label
///   admit no pod, and a domain that fits none stays empty: the others have `maxSkew` each;
/// - required pod affinity (interpodaffinity/filtering.go, satisfyPodAffinity): a node without the
///   label admits no pod, and so does one away from the bound pods that alone match.
/// Unbound claims, volumes and partners that are not among the inputs, and counts that something
/// scales say nothing.
[[nodiscard]] FindObstacles make_topology_gate(const Corpus& corpus);

/// Pods that run at the same time and for which the nodes, which get no more, have not enough
/// devices, `pods`, or nodes that admit one each: those of one object, or where each object has
/// enough, those of all services. It is assumed that no node is added.
struct Crowd {
  std::vector<const Workload*> workloads;
  std::vector<Obstacle> obstacles;
};
[[nodiscard]] std::vector<Crowd> find_crowds(const Corpus& corpus);
[[nodiscard]] FindObstacles make_capacity_gate(const Corpus& corpus);

/// All of them together, in the order in which a workload meets them. Of claims what single nodes
/// say (predicates.h) is left out.
[[nodiscard]] FindObstacles make_gates(const Corpus& corpus);

}  // namespace gpulint
