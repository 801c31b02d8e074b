#include "compiler/policy/resources.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "compiler/base/text.h"
#include "compiler/model/facts/kubernetes_kinds.h"

namespace gpulint::policy {
namespace {

using On = RulePolicy::On;

/// A Pod's containers stay as they are; what makes pods may be changed. Groups that a cluster does
/// not have do no harm.
constexpr std::array<Resources, 10> resources{
    {{On::pods, "", "CREATE", "Pod"},
     {On::pods, "", "CREATE, UPDATE", "PodTemplate, ReplicationController"},
     {On::pods, "apps", "CREATE, UPDATE", "Deployment, StatefulSet, DaemonSet, ReplicaSet"},
     {On::pods, "batch", "CREATE, UPDATE", "Job, CronJob"},
     {On::pods, "ray.io", "CREATE, UPDATE", "RayCluster, RayJob, RayService"},
     {On::pods, "kubeflow.org", "CREATE, UPDATE", "PyTorchJob, TFJob, MPIJob"},
     {On::pods, "jobset.x-k8s.io", "CREATE, UPDATE", "JobSet"},
     {On::nodes, "", "CREATE, UPDATE", "Node"},
     {On::quotas, "", "CREATE, UPDATE", "ResourceQuota"},
     {On::claims, "resource.k8s.io", "CREATE, UPDATE",
      "ResourceClaim, ResourceClaimTemplate, DeviceClass"}}};

}  // namespace

std::vector<std::string> Resources::kind_list() const {
  std::vector<std::string> list;
  std::string_view rest = kinds;
  while (!rest.empty()) list.emplace_back(trim(take_part(rest, ',')));
  return list;
}

std::string Resources::names() const {
  std::string names;
  for (const std::string& kind : kind_list()) {
    names += names.empty() ? "" : ", ";
    names += facts_of_kind(kind).plural;
  }
  return names;
}

std::span<const Resources> asked_resources() { return resources; }

std::vector<std::string> pod_kinds() {
  std::vector<std::string> kinds;
  for (const Resources& one : resources) {
    if (one.on == On::pods) std::ranges::move(one.kind_list(), std::back_inserter(kinds));
  }
  return kinds;
}

}  // namespace gpulint::policy
