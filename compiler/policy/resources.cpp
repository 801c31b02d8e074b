#include "compiler/policy/resources.h"

#include <array>

#include "compiler/base/text.h"

namespace gpulint::policy {
namespace {

using On = RulePolicy::On;

/// A Pod's containers stay as they are; what makes pods may be changed. Groups that a cluster does
/// not have do no harm.
constexpr std::array<Resources, 10> resources{{
    {On::pods, "", "CREATE", "pods", "Pod"},
    {On::pods, "", "CREATE, UPDATE", "podtemplates, replicationcontrollers",
     "PodTemplate, ReplicationController"},
    {On::pods, "apps", "CREATE, UPDATE", "deployments, statefulsets, daemonsets, replicasets",
     "Deployment, StatefulSet, DaemonSet, ReplicaSet"},
    {On::pods, "batch", "CREATE, UPDATE", "jobs, cronjobs", "Job, CronJob"},
    {On::pods, "ray.io", "CREATE, UPDATE", "rayclusters, rayjobs, rayservices",
     "RayCluster, RayJob, RayService"},
    {On::pods, "kubeflow.org", "CREATE, UPDATE", "pytorchjobs, tfjobs, mpijobs",
     "PyTorchJob, TFJob, MPIJob"},
    {On::pods, "jobset.x-k8s.io", "CREATE, UPDATE", "jobsets", "JobSet"},
    {On::nodes, "", "CREATE, UPDATE", "nodes", "Node"},
    {On::quotas, "", "CREATE, UPDATE", "resourcequotas", "ResourceQuota"},
    {On::claims, "resource.k8s.io", "CREATE, UPDATE",
     "resourceclaims, resourceclaimtemplates, deviceclasses",
     "ResourceClaim, ResourceClaimTemplate, DeviceClass"},
}};

}  // namespace

std::span<const Resources> asked_resources() { return resources; }

std::vector<std::string> pod_kinds() {
  std::vector<std::string> kinds;
  for (const Resources& one : resources) {
    if (one.on != On::pods) continue;
    std::string_view rest = one.kinds;
    while (!rest.empty()) kinds.emplace_back(trim(take_part(rest, ',')));
  }
  return kinds;
}

}  // namespace gpulint::policy
