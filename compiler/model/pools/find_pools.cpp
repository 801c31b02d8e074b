#include "compiler/model/pools/find_pools.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "compiler/ir/read.h"
#include "compiler/model/objects.h"
#include "compiler/model/pools/aks_pools.h"
#include "compiler/model/pools/auto_provisioning.h"
#include "compiler/model/pools/cloud_pools.h"
#include "compiler/model/pools/cluster_api.h"
#include "compiler/model/pools/compute_class.h"
#include "compiler/model/pools/eksctl.h"
#include "compiler/model/pools/karpenter_pools.h"
#include "compiler/model/pools/kops.h"
#include "compiler/model/pools/kubelet.h"
#include "compiler/model/pools/machine_api.h"
#include "compiler/model/pools/read_node.h"
#include "compiler/model/pools/terraform.h"

namespace gpulint {
namespace {

constexpr AutoProvisioningFields connector_auto_provisioning{
    "enableAutopilot", "clusterAutoscaling", "resourceLimits", "resourceType"};

/// Config Connector deletes the default pool of such a cluster once it is made.
[[nodiscard]] bool removes_default_pool(const KubernetesObject& object) {
  return object.kind.equals("ContainerCluster") &&
         read_string(object.node.at("metadata", "annotations"),
                     "cnrm.cloud.google.com/remove-default-node-pool")
             .equals("true");
}

void read_object(const KubernetesObject& object, std::vector<NodePool>& pools) {
  const std::string version = object.api_version.value_or("");
  const std::string kind = object.kind.value_or("");
  // Of a NodeList's items; other tools' trees have a `kind: Node`, too.
  const bool is_item = version.empty() && object.node.get("metadata").is_mapping();
  if (kind == "Node" && (version == "v1" || is_item)) {
    pools.push_back(read_node(object.node));
  } else if (version.starts_with("karpenter.sh/") &&
             (kind == "NodePool" || kind == "Provisioner")) {
    pools.push_back(read_karpenter_node_pool(object.node));
  } else if (version.starts_with("eksctl.io/") && kind == "ClusterConfig") {
    std::ranges::move(read_eksctl(object.node), std::back_inserter(pools));
  } else if (version.starts_with("kops") && kind == "InstanceGroup") {
    pools.push_back(read_kops(object.node));
  } else if (version.starts_with("machine.openshift.io/") && kind == "MachineSet") {
    pools.push_back(read_machine_set(object));
  } else if (version.starts_with("kubelet.config.k8s.io/") && kind == "KubeletConfiguration") {
    if (object.node.get("registerWithTaints")) {
      pools.push_back(read_kubelet_configuration(object.node));
    }
  } else if (std::optional<NodePool> pool = read_cloud_pool(object)) {
    if (!removes_default_pool(object)) pools.push_back(std::move(*pool));
    if (kind == "ContainerCluster") {
      std::ranges::move(
          read_auto_provisioning(object.node.get("spec"), NodePool::Source::config_connector,
                                 connector_auto_provisioning),
          std::back_inserter(pools));
    }
  } else {
    std::ranges::move(read_service_operator(object), std::back_inserter(pools));
  }
}

}  // namespace

std::vector<NodePool> find_pools(std::span<const Node> document_roots) {
  std::vector<NodePool> pools;
  std::vector<KubernetesObject> cluster_api;
  std::vector<NodePool> made_for_pods;
  for (const Node root : document_roots) {
    if (is_terraform(root)) {
      std::ranges::move(read_terraform(root), std::back_inserter(pools));
      continue;
    }
    for (const KubernetesObject& object : find_objects(root)) {
      read_object(object, pools);
      if (object.api_version.value_or("").find("cluster.x-k8s.io/") != std::string::npos) {
        cluster_api.push_back(object);
      }
      std::ranges::move(read_compute_class(object), std::back_inserter(made_for_pods));
    }
  }
  std::ranges::move(read_cluster_api(cluster_api), std::back_inserter(pools));
  // Classes alone do not tell which nodes a cluster has.
  if (!pools.empty()) std::ranges::move(made_for_pods, std::back_inserter(pools));
  return pools;
}

}  // namespace gpulint
