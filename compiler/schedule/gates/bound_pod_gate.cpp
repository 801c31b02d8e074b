#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/ir/read.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/schedule/describe.h"
#include "compiler/schedule/gates/gates.h"
#include "compiler/schedule/named_nodes.h"
#include "compiler/schedule/pool_accelerators.h"
#include "compiler/schedule/predicates.h"

namespace gpulint {
namespace {

/// Shares of GPUs that only their own scheduler assigns.
struct HandedOut {
  std::string_view resource;
  std::string_view consequence;  ///< Of `nodeName`.
};

constexpr std::string_view refused_by_hami =
    "HAMi's webhook rejects the pod, because `nodeName` bypasses HAMi's scheduler";

/// HAMi's webhook rejects such pods (Project-HAMi/HAMi pkg/scheduler/webhook.go: "pod has node
/// assigned"). The plugin of gpushare serves only pods that its scheduler extender has marked
/// (AliyunContainerService/gpushare-device-plugin pkg/gpu/nvidia/podutils.go,
/// isGPUMemoryAssumedPod).
constexpr auto handed_out = std::to_array<HandedOut>(
    {{"aliyun.com/gpu-mem", "the GPU Share scheduler extender assigns no GPU to the pod"},
     {"nvidia.com/gpumem", refused_by_hami},
     {"nvidia.com/gpumem-percentage", refused_by_hami},
     {"nvidia.com/gpucores", refused_by_hami}});

[[nodiscard]] bool check_assigned_share(Obstacles& obstacles, const Workload& workload,
                                        const ResourceEntry& entry) {
  const auto* const found = std::ranges::find(handed_out, entry.name.value, &HandedOut::resource);
  const bool is_none = entry.amount.is_known() && entry.amount.value().is_zero();
  if (found == handed_out.end() || is_none) return false;
  obstacles
      .add(workload.pod.node_name.node(),
           "no scheduler assigns `{}` to {}, because the pod sets `nodeName`", entry.name.value,
           describe(workload))
      .related(entry.name.node, "this requests part of a GPU")
      .help(
          "remove `nodeName`, and select the node by the label `kubernetes.io/hostname` in "
          "`nodeSelector`. Otherwise {}",
          found->consequence);
  return true;
}

/// Reports once a pod bound by name that requests a share of a GPU which only its own scheduler
/// assigns. The pod's `nodeName` must be known.
void check_assigned_shares(Obstacles& obstacles, const Workload& workload) {
  for (const Container& container : workload.pod.containers) {
    for (const ResourceEntry& entry : container.resources.limits) {
      if (check_assigned_share(obstacles, workload, entry)) return;
    }
  }
}

/// The same for a claim from a template. The scheduler allocates claims (Kubernetes documentation,
/// Dynamic Resource Allocation, "Pre-scheduled Pods"), unless they are shared and already
/// allocated.
void check_bound_claims(Obstacles& obstacles, const Workload& workload) {
  for (const Node claim : workload.pod.node.get("resourceClaims").items()) {
    const Field<std::string> made = read_string(claim, "resourceClaimTemplateName");
    if (!made.is_known()) continue;
    obstacles
        .add(workload.pod.node_name.node(),
             "no scheduler allocates the claim from template `{}`, because {} sets `nodeName`",
             made.value(), describe(workload))
        .related(made.node(), "the pod claims devices with this template")
        .help(
            "remove `nodeName`, and select the node by a label in `nodeSelector`. Otherwise the "
            "kubelet cannot start the pod");
    return;
  }
}

/// A pod from a cluster that has started: its node has admitted it.
[[nodiscard]] bool has_come_up(const Workload& workload) {
  const Node status = workload.object.get("status");
  return workload.kind.equals("Pod") && status.size() > 0 &&
         !read_string(status, "phase").equals("Failed");
}

/// The node has less than the pod requests, or no accelerator at all. In the second case the
/// kubelet ignores the request (kubernetes/kubernetes pkg/kubelet/lifecycle/predicate.go,
/// removeMissingExtendedResources: kubernetes#60332, #96506).
void check_bound_resource(Obstacles& obstacles, const Workload& workload, const NodePool& node,
                          const Reason& reason) {
  if (!is_gpu_resource(reason.detail)) return;
  const bool is_missing = !reason.pool_node;
  if (is_missing && has_accelerators(node) != Ternary::no) return;
  const Node name = workload.pod.node_name.node();
  Obstacle& obstacle =
      is_missing
          ? obstacles.add(name, "{} is bound to node `{}`, but the node has no `{}`",
                          describe(workload), node.name, reason.detail)
          : obstacles.add(name, "{} requests {} `{}`, but its node `{}` has {}", describe(workload),
                          reason.requested, reason.detail, node.name, reason.offered);
  obstacle
      .related(is_missing ? name_node(node) : reason.pool_node,
               is_missing ? std::string("the node in `nodeName`")
                          : fmt::format("node `{}` has only {} `{}`", node.name, reason.offered,
                                        reason.detail))
      .related(reason.workload_node, "the request of the pod");
  if (is_missing) {
    obstacle.help(
        "remove `nodeName`, and select GPU nodes by a label in `nodeSelector`. Otherwise the "
        "kubelet of `{}` starts the pod without the requested device",
        node.name);
  } else {
    obstacle.help(
        "remove `nodeName`, and select GPU nodes by a label in `nodeSelector`. Otherwise the "
        "kubelet rejects the pod (`OutOf{}`)",
        reason.detail);
  }
}

void check_bound_reason(Obstacles& obstacles, const Workload& workload, const NodePool& node,
                        const Reason& reason) {
  if (reason.holds != Ternary::yes) return;
  if (reason.kind == ReasonKind::insufficient_resource) {
    check_bound_resource(obstacles, workload, node, reason);
  }
  // The kubelet ignores other effects: pkg/kubelet/lifecycle/predicate.go, generalFilter.
  if (reason.kind != ReasonKind::untolerated_taint || !reason.detail.ends_with(":NoExecute")) {
    return;
  }
  obstacles
      .add(workload.pod.node_name.node(), "{} does not tolerate the taint `{}` of its node `{}`",
           describe(workload), reason.detail, node.name)
      .related(reason.pool_node, "the taint of the node in `nodeName`")
      .help(
          "add a toleration for the taint `{}`. Otherwise the kubelet rejects the pod, or "
          "Kubernetes evicts the pod at once",
          reason.detail);
}

}  // namespace

FindObstacles make_bound_pod_gate(const ScopeModel& model) {
  return [nodes = NamedNodes(model.cluster)](const Workload& workload) {
    Obstacles found(Gate::node);
    const Field<std::string>& name = workload.pod.node_name;
    const bool is_bound = workload.origin == Workload::Origin::manifest && name.is_known() &&
                          !name.value().empty() && name.node() && !has_come_up(workload);
    if (!is_bound) return std::move(found).take();
    check_bound_claims(found, workload);
    check_assigned_shares(found, workload);
    const NodePool* const node = nodes.find(workload.pod);
    if (node == nullptr) return std::move(found).take();
    for (const Reason& reason : assess(prepare_pod(workload), PreparedNode(*node)).reasons) {
      check_bound_reason(found, workload, *node, reason);
    }
    return std::move(found).take();
  };
}

}  // namespace gpulint
