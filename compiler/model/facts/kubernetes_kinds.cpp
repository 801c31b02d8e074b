#include "compiler/model/facts/kubernetes_kinds.h"

#include <algorithm>
#include <array>

#include "compiler/base/text.h"

namespace gpulint {
namespace {

#include "tables/kinds.inc"

struct KnownKind {
  std::string_view group;
  std::string_view kind;
  std::string_view api_version = {};  ///< Current version that serves it; empty: not stated.
};

/// Groups of which the table below holds every kind.
constexpr std::array<std::string_view, 5> closed_groups{"", "apps", "batch", "extensions",
                                                        "node.k8s.io"};

constexpr std::array known_kinds = {
    KnownKind{"", "Binding"},
    KnownKind{"", "ComponentStatus"},
    KnownKind{"", "Config"},  // kubectl's own configuration
    KnownKind{"", "ConfigMap", "v1"},
    KnownKind{"", "Endpoints", "v1"},
    KnownKind{"", "Event"},
    KnownKind{"", "LimitRange", "v1"},
    KnownKind{"", "List", "v1"},
    KnownKind{"", "Namespace", "v1"},
    KnownKind{"", "Node", "v1"},
    KnownKind{"", "PersistentVolume", "v1"},
    KnownKind{"", "PersistentVolumeClaim", "v1"},
    KnownKind{"", "Pod", "v1"},
    KnownKind{"", "PodTemplate", "v1"},
    KnownKind{"", "ReplicationController", "v1"},
    KnownKind{"", "ResourceQuota", "v1"},
    KnownKind{"", "Secret", "v1"},
    KnownKind{"", "Service"},
    KnownKind{"", "ServiceAccount", "v1"},
    KnownKind{"", "Status"},
    KnownKind{"apiextensions.k8s.io", "CustomResourceDefinition"},
    KnownKind{"apps", "ControllerRevision", "apps/v1"},
    KnownKind{"apps", "DaemonSet", "apps/v1"},
    KnownKind{"apps", "Deployment", "apps/v1"},
    KnownKind{"apps", "ReplicaSet", "apps/v1"},
    KnownKind{"apps", "StatefulSet", "apps/v1"},
    KnownKind{"argoproj.io", "ClusterWorkflowTemplate"},
    KnownKind{"argoproj.io", "CronWorkflow"},
    KnownKind{"argoproj.io", "Workflow"},
    KnownKind{"argoproj.io", "WorkflowTemplate"},
    KnownKind{"autoscaling", "HorizontalPodAutoscaler"},
    KnownKind{"batch", "CronJob", "batch/v1"},
    KnownKind{"batch", "Job", "batch/v1"},
    KnownKind{"batch.volcano.sh", "Job"},
    KnownKind{"eksctl.io", "ClusterConfig"},
    KnownKind{"extensions", "DaemonSet"},
    KnownKind{"extensions", "Deployment"},
    KnownKind{"extensions", "Ingress"},
    KnownKind{"extensions", "Job"},
    KnownKind{"extensions", "NetworkPolicy"},
    KnownKind{"extensions", "PodSecurityPolicy"},
    KnownKind{"extensions", "ReplicaSet"},
    KnownKind{"extensions", "Scale"},
    KnownKind{"extensions", "ThirdPartyResource"},
    KnownKind{"jobset.x-k8s.io", "JobSet"},
    KnownKind{"karpenter.k8s.aws", "AWSNodeTemplate"},
    KnownKind{"karpenter.k8s.aws", "EC2NodeClass"},
    KnownKind{"karpenter.sh", "NodeClaim"},
    KnownKind{"karpenter.sh", "NodePool"},
    KnownKind{"karpenter.sh", "Provisioner"},
    KnownKind{"kops.k8s.io", "Cluster"},
    KnownKind{"kops.k8s.io", "InstanceGroup"},
    KnownKind{"kubeflow.org", "JAXJob"},
    KnownKind{"kubeflow.org", "MPIJob"},
    KnownKind{"kubeflow.org", "PaddleJob"},
    KnownKind{"kubeflow.org", "PyTorchJob"},
    KnownKind{"kubeflow.org", "TFJob"},
    KnownKind{"kubeflow.org", "XGBoostJob"},
    KnownKind{"kubelet.config.k8s.io", "KubeletConfiguration"},
    KnownKind{"kueue.x-k8s.io", "ClusterQueue"},
    KnownKind{"kueue.x-k8s.io", "LocalQueue"},
    KnownKind{"kueue.x-k8s.io", "ResourceFlavor"},
    KnownKind{"leaderworkerset.x-k8s.io", "LeaderWorkerSet"},
    KnownKind{"node.k8s.io", "RuntimeClass", "node.k8s.io/v1"},
    KnownKind{"nvidia.com", "ClusterPolicy"},
    KnownKind{"nvidia.com", "NVIDIADriver"},
    KnownKind{"policy", "PodDisruptionBudget"},
    KnownKind{"ray.io", "RayCluster"},
    KnownKind{"ray.io", "RayCronJob"},
    KnownKind{"ray.io", "RayJob"},
    KnownKind{"ray.io", "RayService"},
    KnownKind{"resource.k8s.io", "DeviceClass"},
    KnownKind{"resource.k8s.io", "DeviceTaintRule"},
    KnownKind{"resource.k8s.io", "ResourceClaim"},
    KnownKind{"resource.k8s.io", "ResourceClaimTemplate"},
    KnownKind{"resource.k8s.io", "ResourceSlice"},
    KnownKind{"scheduling.k8s.io", "PriorityClass"},
    KnownKind{"serving.kserve.io", "InferenceService"},
    KnownKind{"sparkoperator.k8s.io", "ScheduledSparkApplication"},
    KnownKind{"sparkoperator.k8s.io", "SparkApplication"},
    KnownKind{"trainer.kubeflow.org", "ClusterTrainingRuntime"},
    KnownKind{"trainer.kubeflow.org", "TrainJob"},
    KnownKind{"trainer.kubeflow.org", "TrainingRuntime"},
};

}  // namespace

const KindFacts& facts_of_kind(std::string_view kind) {
  static constexpr KindFacts unknown{};
  const auto* const found = std::ranges::find(kind_table, kind, &KindFacts::kind);
  return found != std::ranges::end(kind_table) ? *found : unknown;
}

std::string_view api_group(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view{} : api_version.substr(0, slash);
}

std::optional<std::string_view> find_kind(std::string_view group, std::string_view kind) {
  for (const KnownKind& known : known_kinds) {
    if (known.group == group && equal_fold(known.kind, kind)) return known.kind;
  }
  return std::nullopt;
}

std::vector<std::string_view> kinds_of_closed_group(std::string_view group) {
  std::vector<std::string_view> kinds;
  for (const std::string_view closed : closed_groups) {
    if (closed != group) continue;
    for (const KnownKind& known : known_kinds) {
      if (known.group == group) kinds.push_back(known.kind);
    }
  }
  return kinds;
}

std::optional<std::string_view> api_version_of_kind(std::string_view kind) {
  for (const KnownKind& known : known_kinds) {
    if (known.kind == kind && !known.api_version.empty()) return known.api_version;
  }
  return std::nullopt;
}

}  // namespace gpulint
