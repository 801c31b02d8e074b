#include "compiler/messages/explain.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "compiler/base/shell_word.h"
#include "compiler/base/text.h"

namespace gpulint::events {
namespace {

constexpr const char* show_taints =
    "kubectl get nodes -o custom-columns=NAME:.metadata.name,TAINTS:.spec.taints";
constexpr const char* show_labels = "kubectl get nodes --show-labels";
constexpr const char* show_nodes = "kubectl get nodes";
constexpr const char* show_pools = "kubectl get nodepools -o yaml";
constexpr const char* show_plugin = "kubectl get pods -A -o wide | grep device-plugin";

[[nodiscard]] std::string show_amounts(std::string_view resource) {
  return "kubectl describe nodes | grep -E " + shell_word(fmt::format("^Name:|{}", resource));
}

[[nodiscard]] std::string named(std::string_view before, std::string_view name) {
  return name.empty() ? "" : fmt::format("{}`{}`", before, name);
}

/// Of a pod that reached a node and was rejected there.
[[nodiscard]] Explanation explain_refusal(const Claim& claim) {
  return {fmt::format("the node had no free `{}` when the pod arrived{}: its device plugin had not "
                      "started yet, or the scheduler counted differently. The pod has failed and "
                      "is not retried: delete it",
                      claim.key, claim.value.empty() ? "" : fmt::format(" ({})", claim.value)),
          show_amounts(claim.key)};
}

[[nodiscard]] Explanation explain_amount(const Claim& claim, const Event& event) {
  if (event.speaker == Speaker::kubelet) return explain_refusal(claim);
  if (event.speaker == Speaker::cluster_autoscaler) {
    return {
        fmt::format("a new node of these groups would have too little `{0}`; for an empty group, "
                    "the autoscaler knows `{0}` only from the machine type or tags",
                    claim.key),
        "kubectl -n kube-system get configmap cluster-autoscaler-status -o yaml"};
  }
  return {fmt::format("the nodes have no `{}`, or less than the pod requests, or other pods use it",
                      claim.key),
          show_amounts(claim.key)};
}

[[nodiscard]] Explanation explain_taint(const Claim& claim) {
  if (claim.key.empty()) {
    return {"the nodes have a taint that the pod does not tolerate; the message does not name it",
            show_taints};
  }
  const std::string taint =
      claim.value.empty() ? claim.key : fmt::format("{}={}", claim.key, claim.value);
  if (claim.key.starts_with("node.kubernetes.io/")) {
    return {fmt::format("the nodes accept no pods for now: Kubernetes itself set the taint `{}`",
                        taint),
            show_nodes};
  }
  return {fmt::format("the nodes have the taint `{}`, and the pod does not tolerate it", taint),
          show_taints};
}

[[nodiscard]] Explanation explain_label(const Claim& claim, const Event& event) {
  if (event.speaker == Speaker::karpenter) {
    return {fmt::format("the pod requires {}, which the pool does not set on its nodes",
                        claim.key.empty() ? "a label" : fmt::format("the label `{}`", claim.key)),
            show_pools};
  }
  return {
      "the nodes lack a label that the pod's node selector or node affinity requires; the message "
      "does not name it",
      show_labels};
}

[[nodiscard]] Explanation explain_machine(const Claim& claim, const Event& event) {
  if (event.speaker == Speaker::cluster_autoscaler) {
    return {
        "no node group would accept the pod after a scale-up: the autoscaler's log has the reasons",
        "kubectl -n kube-system logs -l app=cluster-autoscaler --tail=200 | grep -i predicate"};
  }
  return {
      fmt::format("no machine type that the pool may use has everything that the pod requests{}, "
                  "or none of them is available",
                  claim.value.empty() ? "" : fmt::format(" ({} `{}`)", claim.value, claim.key)),
      show_pools};
}

[[nodiscard]] Explanation explain_resource_quota(const Claim& claim) {
  if (claim.pool == "LimitRange") {
    return {fmt::format("a LimitRange of the namespace limits `{}`: {}", claim.key, claim.value),
            "kubectl get limitranges -A -o yaml"};
  }
  if (claim.key.empty() && !claim.pool.empty()) {
    return {fmt::format("ResourceQuota `{}` of the namespace requires values that the pod's "
                        "containers do not set: {}. Set them, or add a LimitRange with defaults to "
                        "the namespace",
                        claim.pool, claim.value),
            "kubectl describe resourcequota " + shell_word(claim.pool)};
  }
  if (claim.key.empty()) {
    return {
        "pods of this priority class are admitted only if a ResourceQuota of their namespace "
        "covers the class; GKE has one only in `kube-system`",
        "kubectl get resourcequotas -A"};
  }
  return {fmt::format("ResourceQuota `{}` of the namespace has too little `{}` left: {}",
                      claim.pool, claim.key, claim.value),
          "kubectl describe resourcequota " + shell_word(claim.pool)};
}

[[nodiscard]] Explanation explain_quota(const Claim& claim, const Event& event) {
  switch (event.speaker) {
    case Speaker::kueue:
      if (claim.text.find("unavailable in ClusterQueue") != std::string::npos) {
        return {fmt::format("the ClusterQueue defines no quota for `{}`", claim.key),
                "kubectl get clusterqueues -o yaml"};
      }
      return {fmt::format("the ClusterQueue has no quota{} left{}; no pod exists yet",
                          named(" for ", claim.key), named(" in flavor ", claim.pool)),
              "kubectl get clusterqueues -o yaml"};
    case Speaker::api_server:
      return explain_resource_quota(claim);
    case Speaker::volcano:
      return {
          "the queue has used its capacity, or PodGroups of finished jobs still count against it",
          "kubectl get queues,podgroups -A"};
    default:
      return {"the queue has used its quota", "kubectl get queues -o yaml"};
  }
}

[[nodiscard]] Explanation explain_gang(const Claim& claim, const Event& event) {
  return {
      fmt::format("the pods of the group start together or not at all{}; the events of each pod "
                  "name its reason",
                  claim.value.empty() ? "" : fmt::format(" ({})", claim.value)),
      event.speaker == Speaker::volcano ? "kubectl get podgroups -A -o yaml"
                                        : "kubectl get podgroups.scheduling.run.ai -A -o yaml"};
}

[[nodiscard]] Explanation explain_allocation(const Claim& claim) {
  // NVIDIA/k8s-device-plugin, internal/plugin/server.go, ValidateRequest
  if (claim.text.find("request size for shared resources") != std::string::npos) {
    return {
        "the container requests several replicas of a shared GPU, but the configuration of the "
        "device plugin allows only 1: request 1, or a GPU that is not shared. The pod has "
        "failed and is not retried",
        ""};
  }
  return {fmt::format("the node's device plugin could not allocate{}: a device was lost, or a pod "
                      "that ended still holds it. The pod has failed and is not retried",
                      claim.key.empty() ? " the devices" : fmt::format(" `{}`", claim.key)),
          show_plugin};
}

/// Of the Pod Security Standards, `baseline` and `restricted` reject host paths and privilege.
[[nodiscard]] Explanation explain_pod_security(const Claim& claim) {
  return {
      fmt::format("the namespace enforces `{}`, but pods that manage GPUs need host access: run "
                  "them in a namespace with `pod-security.kubernetes.io/enforce: privileged`",
                  claim.key),
      "kubectl get namespaces -L pod-security.kubernetes.io/enforce"};
}

[[nodiscard]] Explanation explain_missing_object(const Claim& claim) {
  const bool is_runtime = claim.key == "RuntimeClass";
  return {fmt::format("{} `{}` does not exist{}", claim.key, claim.value,
                      is_runtime ? ": NVIDIA's GPU Operator creates `nvidia`, as do newer K3s and "
                                   "RKE2; elsewhere create it yourself"
                                 : ": create it, or name one that exists"),
          is_runtime ? "kubectl get runtimeclasses" : "kubectl get priorityclasses"};
}

[[nodiscard]] Explanation explain_invalid_amount(const Claim& claim) {
  if (claim.key.empty()) {
    return {"a device is requested only under `requests`: set it under `limits`", ""};
  }
  return {fmt::format("the request of `{}` must equal the limit: set it only under `limits`",
                      claim.key),
          ""};
}

[[nodiscard]] Explanation explain_denial(const Claim& claim) {
  const std::string who =
      claim.key.empty() ? "the API server" : fmt::format("the webhook `{}`", claim.key);
  if (claim.value.empty()) return {fmt::format("{} rejects the object", who), ""};
  return {fmt::format("{} does not accept `{}`", who, claim.value), ""};
}

[[nodiscard]] Explanation explain_runtime(const Claim& claim) {
  return {fmt::format("the node's containerd or CRI-O has no runtime `{}`: the NVIDIA Container "
                      "Toolkit is not installed there, or it configured another containerd (K3s, "
                      "RKE2, k0s and MicroK8s have their own)",
                      claim.key),
          "kubectl get pods -A -o wide | grep -E 'toolkit|driver'"};
}

[[nodiscard]] Explanation explain_driver() {
  return {
      "the container lacks the driver's libraries: it does not run with NVIDIA's runtime "
      "(`runtimeClassName: nvidia`, or the node's default), or the node has no driver",
      "kubectl get runtimeclasses"};
}

[[nodiscard]] Explanation explain_device(const Claim& claim) {
  return {fmt::format("no Container Device Interface specification on the node contains `{}`: the "
                      "toolkit's file is missing or older than the device",
                      claim.key),
          "kubectl get pods -A -o wide | grep toolkit"};
}

/// Words in the answer of a registry or container runtime, and the cause that they mean.
struct PullFailure {
  std::string_view words;  ///< In lower case.
  std::string_view cause;
};

constexpr auto pull_failures = std::to_array<PullFailure>({
    {"no match for platform", "it has no variant for the node's platform"},
    {"no matching manifest", "it has no variant for the node's platform"},
    {"toomanyrequests", "the registry limits the rate of pulls"},
    {"unauthorized", "the registry does not accept the credentials: see `imagePullSecrets`"},
    {"authorization failed",
     "the image does not exist, or the pod's `imagePullSecrets` lack access"},
    {"forbidden", "the registry does not accept the credentials: see `imagePullSecrets`"},
    {"denied", "the image does not exist, or the pod's `imagePullSecrets` lack access"},
    {"x509", "the node does not trust the registry's certificate"},
    {"no such host", "the node cannot resolve the registry's name"},
    {"i/o timeout", "the node cannot reach the registry"},
    {"connection refused", "the node cannot reach the registry"},
    {"no space left", "the node's disk is full"},
    {"not found", "the registry has no such image or tag"},
    {"manifest unknown", "the registry has no such image or tag"},
});

[[nodiscard]] Explanation explain_pull(const Claim& claim, const Event& event) {
  const std::string answer = to_lower(claim.value);
  const auto* const known = std::ranges::find_if(pull_failures, [&](const PullFailure& failure) {
    return answer.find(failure.words) != std::string::npos;
  });
  const std::string image =
      claim.key.empty() ? "an image of the pod" : fmt::format("the image `{}`", claim.key);
  const std::string cause = known == pull_failures.end() ? "" : fmt::format("; {}", known->cause);
  return {
      fmt::format("the pod has a node, but the node cannot pull {}{}. This is not about GPUs or "
                  "placement",
                  image, cause),
      pod_command("describe", event.subject)};
}

[[nodiscard]] Explanation explain_growth(const Claim& claim) {
  if (claim.text.find("triggered scale-up") != std::string::npos &&
      claim.text.find("didn't") == std::string::npos) {
    return {"nodes are being created", show_nodes};
  }
  return {
      "the groups failed to scale up, and the autoscaler does not retry them for a while: the "
      "cloud had no machines, or a quota was reached",
      "kubectl -n kube-system get configmap cluster-autoscaler-status -o yaml"};
}

}  // namespace

std::string pod_command(std::string_view verb, const Subject& pod) {
  return fmt::format("kubectl {} pod {}{}", verb, pod.name.empty() ? "NAME" : shell_word(pod.name),
                     pod.name_space.empty() ? "" : " -n " + shell_word(pod.name_space));
}

Explanation explain(const Claim& claim, const Event& event) {
  switch (claim.kind) {
    case ClaimKind::insufficient_resource:
      return explain_amount(claim, event);
    case ClaimKind::untolerated_taint:
      return explain_taint(claim);
    case ClaimKind::node_affinity:
      return explain_label(claim, event);
    case ClaimKind::unschedulable:
      return {"the nodes are cordoned: they accept no new pods", show_nodes};
    case ClaimKind::node_condition:
      return {"the nodes are not ready or under pressure", show_nodes};
    case ClaimKind::host_ports:
      return {"another pod uses a host port that this pod requests", "kubectl get pods -A -o wide"};
    case ClaimKind::pod_affinity:
      return {"affinity or anti-affinity rules between pods exclude these nodes", ""};
    case ClaimKind::topology_spread:
      return {"too many similar pods run in one topology domain, or no domain is large enough",
              show_labels};
    case ClaimKind::volume:
      return {
          "a volume of the pod is elsewhere or does not exist yet, or the node has too many "
          "volumes",
          "kubectl get pvc,pv -A"};
    case ClaimKind::device_claim:
      return {"the nodes have no devices that match the pod's resource claims",
              "kubectl get resourceclaims,resourceslices -A"};
    case ClaimKind::no_machine:
      return explain_machine(claim, event);
    case ClaimKind::pool_limit:
      return {"the pool has reached its maximum size",
              event.speaker == Speaker::karpenter ? show_pools : show_nodes};
    case ClaimKind::scale_up:
      return explain_growth(claim);
    case ClaimKind::quota:
      return explain_quota(claim, event);
    case ClaimKind::gang:
      return explain_gang(claim, event);
    case ClaimKind::allocation_failed:
      return explain_allocation(claim);
    case ClaimKind::pod_security:
      return explain_pod_security(claim);
    case ClaimKind::missing_object:
      return explain_missing_object(claim);
    case ClaimKind::denied:
      return explain_denial(claim);
    case ClaimKind::fraction:
      return {
          fmt::format("whole devices only: request at least 1 `{}`. A part of a device is a MIG "
                      "partition, or a share that the device plugin offers",
                      claim.key),
          ""};
    case ClaimKind::invalid_amount:
      return explain_invalid_amount(claim);
    case ClaimKind::missing_runtime:
      return explain_runtime(claim);
    case ClaimKind::missing_driver:
      return explain_driver();
    case ClaimKind::missing_device:
      return explain_device(claim);
    case ClaimKind::image_pull:
      return explain_pull(claim, event);
    case ClaimKind::preemption:
      return {"evicting pods of lower priority would not help", ""};
    case ClaimKind::other:
      return {"gpulint does not know this message", ""};
  }
  return {};
}

}  // namespace gpulint::events
