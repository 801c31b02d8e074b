#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/kinds/kueue.h"
#include "compiler/model/scope/scope_model.h"
#include "compiler/schedule/verdict.h"

namespace gpulint {

struct PlacementAnalysis;  // schedule/placement_analysis.h

// What can stop a workload in addition to the reasons of single nodes. Each gate is made once for a
// scope, which must outlive it. Unless its comment says otherwise, a gate checks all workloads of
// manifests, with or without GPUs. `placement`: of the same scope; without it (null) such a gate
// has no obstacles.

/// Compares the requests of one pod with the ResourceQuotas and LimitRanges of its namespace.
/// - A quota of `cpu` or `memory` also rejects pods with a container that does not set them
/// (Kubernetes 1.37, pkg/quota/v1/evaluator/core/pods.go, Constraints).
/// - A declared Flyte task may run in any of Flyte's namespaces: those whose name ends in a domain,
/// and those of cluster resource templates with the `customData` of each domain (flyteorg/flyte,
/// flyteadmin/pkg/clusterresource). Attributes of a project in flyteadmin's database may allow
/// more.
[[nodiscard]] FindObstacles make_quota_gate(const ScopeModel& model);

/// Workloads that the ClusterQueue behind their LocalQueue of Kueue can never admit: amounts beyond
/// its quotas, and labels and taints of its flavors that do not match.
[[nodiscard]] FindObstacles make_kueue_gate(const ScopeModel& model);

/// A LocalQueue with a known ClusterQueue that may not select its namespace. Without a
/// `namespaceSelector` it selects none (kubernetes-sigs/kueue,
/// apis/kueue/v1beta1/clusterqueue_types.go: "defaults to null which is a nothing selector").
struct ClosedQueue {
  Node local_queue;
  std::vector<Obstacle> obstacles;  ///< For each workload of the queue; empty if it is selected.
};
[[nodiscard]] std::vector<ClosedQueue> find_closed_queues(const ScopeModel& model,
                                                          const KueueObjects& kueue);
[[nodiscard]] FindObstacles make_kueue_namespace_gate(const ScopeModel& model);

/// Pods that request more GPUs, alone or with the pods of their group, than the `limit` of their
/// KAI-Scheduler queue or of a parent queue (kai-scheduler/KAI-Scheduler 026fe829f959,
/// plugins/proportion, max_allowed_check.go); pods of a queue that is itself a parent
/// (actions/utils/input_jobs.go, "not a leaf queue"). Tasks of a Volcano Job whose first pods
/// together request more than the `capability` of its queue or of a parent queue.
[[nodiscard]] FindObstacles make_scheduler_queue_gate(const ScopeModel& model);

/// Containers that request more cards, or more memory of one card, than any node has under HAMi or
/// Volcano. Not pods of DaemonSets, which serve nodes.
[[nodiscard]] FindObstacles make_card_gate(const ScopeModel& model);

/// Containers that request several replicas of a shared GPU, although NVIDIA's device plugin, or
/// GKE's, gives a container only one. The kubelet rejects such pods.
[[nodiscard]] FindObstacles make_shared_count_gate(const ScopeModel& model);

/// Pods that request a part of a GPU from KAI-Scheduler by annotation (`gpu-memory`,
/// `gpu-fraction`): more memory than the label of any matching node states, or no matching node has
/// a GPU.
[[nodiscard]] FindObstacles make_share_gate(const ScopeModel& model);

/// Pods that request a share of a GPU from Volcano in a way that its configuration does not enable
/// or, without one among the inputs, that no node offers.
[[nodiscard]] FindObstacles make_volcano_share_gate(const ScopeModel& model);

/// A Pod Security level that rejects pods which need the host.
struct EnforcedLevel {
  std::string level;  ///< `baseline` or `restricted`.
  Node where;         ///< The setting, or the sign of a platform that has this default.
};
/// The level of a namespace; nullopt if it has neither, or is not among the inputs.
[[nodiscard]] std::optional<EnforcedLevel> find_enforced_level(const ScopeModel& model,
                                                               const std::string& name);
/// What `where` says about the level, as the label of that place.
[[nodiscard]] std::string describe(const EnforcedLevel& level);
/// Privileged containers, host path volumes and host namespaces in a namespace that forbids them
/// (Kubernetes 1.37, Pod Security Standards, Baseline). Not what only `restricted` forbids: much of
/// it has exceptions. Checks workloads that state their namespace.
[[nodiscard]] FindObstacles make_pod_security_gate(const ScopeModel& model);

/// Pods that GKE Autopilot rejects. An Autopilot cluster is known by a cluster of Config Connector
/// or Terraform with Autopilot enabled, or by Nodes with Autopilot's names, unless the inputs also
/// declare a node pool.
[[nodiscard]] FindObstacles make_autopilot_gate(const ScopeModel& model);

/// Where Knative's features are set: `data` of ConfigMap `config-features`, or
/// `spec.config.features` of the operator's KnativeServing.
struct KnativeFlags {
  Node object;
  Node flags;
};
/// Nullopt if the inputs have none, or several: then it is unknown which takes effect.
[[nodiscard]] std::optional<KnativeFlags> find_knative_flags(const ScopeModel& model);
/// The flag that allows a field of a pod; empty if Knative needs none.
[[nodiscard]] std::string_view knative_flag_of(std::string_view field);
/// Fields of pods that Knative's webhook rejects, because their features are not enabled.
[[nodiscard]] FindObstacles make_knative_gate(const ScopeModel& model);

/// Pods that the admission plugin RuntimeClass rejects (Kubernetes 1.37,
/// plugin/pkg/admission/runtimeclass): a node selector or overhead that contradicts their class.
[[nodiscard]] FindObstacles make_runtime_class_gate(const ScopeModel& model);

/// Objects that decide about the pod and are not among the inputs, although nodes are: its
/// RuntimeClass, its LocalQueue if the namespace has others, and the node in its `nodeName`. All
/// assumed, and no finding of a rule: misspelt-reference compares names.
[[nodiscard]] FindObstacles make_missing_object_gate(const ScopeModel& model);

/// What prevents a pod from running on the node in its `nodeName`: shares of GPUs and claims that
/// only a scheduler assigns, and, if the Node is among the inputs, missing GPUs and taints that
/// evict the pod. Not pods that have started: their node has admitted them.
[[nodiscard]] FindObstacles make_bound_pod_gate(const ScopeModel& model);

/// Whether the inputs have ResourceSlices, in which drivers publish the devices of nodes.
[[nodiscard]] bool has_slices(const ScopeModel& model);
/// Pods whose resource claims fit no known node: by its ResourceSlices or, without any, by the
/// likely devices of its machines. Also pods that all nodes with the devices reject for another
/// reason, unless a cause of the scope's placement reports it.
[[nodiscard]] FindObstacles make_claim_gate(const ScopeModel& model,
                                            const PlacementAnalysis* placement);

/// Pods that concern GPUs and fit some node by themselves, but no node in the right place, on nodes
/// that get no more (Kubernetes 1.37, pkg/scheduler/framework/plugins):
/// - a bound claim, and the node affinity of its volume (volumebinding/binder.go,
///   checkBoundClaims). A volume that a CSI driver took over may have the twin of a zone's label;
/// - a host port that pods of DaemonSets or bound pods take on all of these nodes (nodeports);
/// - topology spread with `DoNotSchedule` (podtopologyspread/filtering.go): nodes without the label
///   admit no pod. A domain that fits none stays empty: the others have `maxSkew` each;
/// - required pod affinity (interpodaffinity/filtering.go, satisfyPodAffinity): a term without a
///   label selector matches no pod, and a node without the label admits none. Neither does a node
///   away from the bound pods that alone match.
/// Unbound claims, volumes and partners that are not among the inputs, and scaled counts give no
/// obstacle.
[[nodiscard]] FindObstacles make_topology_gate(const ScopeModel& model,
                                               const PlacementAnalysis* placement);

/// Pods that run at the same time and do not all fit: the nodes have too few devices, run too few
/// `pods`, or are too few for pods that need a node each. The pods of one object or, if each object
/// fits, of all services. Assumes that no node is added.
struct Crowd {
  std::vector<const Workload*> workloads;
  std::vector<Obstacle> obstacles;
};
[[nodiscard]] std::vector<Crowd> find_crowds(const ScopeModel& model,
                                             const PlacementAnalysis* placement);
[[nodiscard]] FindObstacles make_capacity_gate(const ScopeModel& model,
                                               const PlacementAnalysis* placement);

/// All gates, in the order in which a workload meets them. With ResourceSlices the claim gate is
/// left out: single nodes check the claims (predicates.h).
[[nodiscard]] FindObstacles make_gates(const ScopeModel& model, const PlacementAnalysis* placement);

}  // namespace gpulint
