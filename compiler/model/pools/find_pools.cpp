#include "compiler/model/pools/find_pools.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/ir/read.h"
#include "compiler/model/cluster.h"
#include "compiler/model/objects.h"
#include "compiler/model/pools/aks_pools.h"
#include "compiler/model/pools/auto_provisioning.h"
#include "compiler/model/pools/cloud_pools.h"
#include "compiler/model/pools/compute_class.h"
#include "compiler/model/pools/eksctl.h"
#include "compiler/model/pools/karpenter_pools.h"
#include "compiler/model/pools/kops.h"
#include "compiler/model/pools/kubelet.h"
#include "compiler/model/pools/machine_api.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/model/pools/provider_knowledge.h"
#include "compiler/model/pools/read_node.h"
#include "compiler/model/pools/terraform.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

/// Domains of the labels that Cluster API copies from machines to nodes.
[[nodiscard]] bool is_copied(std::string_view key) {
  const std::string_view domain = key.substr(0, key.find('/'));
  return domain == "node-role.kubernetes.io" || domain == "node-restriction.kubernetes.io" ||
         domain.ends_with(".node-restriction.kubernetes.io") || domain == "node.cluster.x-k8s.io" ||
         domain.ends_with(".node.cluster.x-k8s.io");
}

/// `kubeletExtraArgs` is a map, or since v1beta2 a list of `{name, value}`.
[[nodiscard]] Node kubelet_argument(Node arguments, std::string_view name) {
  for (const Node item : arguments.items()) {
    if (read_string(item, "name").equals(std::string(name))) return item.get("value");
  }
  return arguments.get(name);
}

void take_kubelet_arguments(Node arguments, NodePool& pool) {
  const Node labels = kubelet_argument(arguments, "node-labels");
  if (labels) {
    const Field<std::string> text = read_string(labels);
    if (text.is_known()) {
      LabelMap parsed = parse_node_labels(text.value(), labels);
      pool.kubelet_error = std::move(parsed.error);
      for (PoolLabel& label : parsed.labels) set_label(pool, std::move(label));
    }
  }
  const Node taints = kubelet_argument(arguments, "register-with-taints");
  if (!taints) return;
  const Field<std::string> text = read_string(taints);
  if (text.is_opaque()) pool.taints_complete = false;
  if (!text.is_known()) return;
  RegisteredTaints parsed = parse_register_with_taints(text.value(), taints);
  if (!parsed.error.empty()) pool.kubelet_error = std::move(parsed.error);
  for (Taint& taint : parsed.taints) pool.taints.push_back(std::move(taint));
}

/// A bootstrap configuration, of kubeadm or of EKS.
void take_bootstrap(Node spec, NodePool& pool) {
  const Node registration = spec.at("joinConfiguration", "nodeRegistration");
  for (Taint& taint : read_taints(registration.get("taints"))) {
    pool.taints.push_back(std::move(taint));
  }
  take_kubelet_arguments(registration.get("kubeletExtraArgs"), pool);
  take_kubelet_arguments(spec.get("kubeletExtraArgs"), pool);
}

/// Objects that a machine set refers to, by kind and name; bootstrap configurations by name alone.
struct Referred {
  std::map<std::string, Node> bootstraps;
  std::map<std::pair<std::string, std::string>, Node> infrastructure;

  [[nodiscard]] Node find_infrastructure(Node machine) const {
    const Node reference = machine.at("spec", "infrastructureRef");
    const auto found = infrastructure.find(
        {read_string(reference, "kind").value_or(""), read_string(reference, "name").value_or("")});
    return found == infrastructure.end() ? Node{} : found->second;
  }
};

/// What the machine templates of AWS, Azure and Google Cloud call the type of their machines.
void take_machine_type(Node infrastructure, NodePool& pool) {
  const Node spec = infrastructure.get("spec");
  const Node inner = spec.at("template", "spec");
  for (const Node type :
       {inner.get("instanceType"), inner.get("vmSize"),
        spec.at("awsLaunchTemplate", "instanceType"), spec.at("template", "vmSize")}) {
    if (type.is_scalar()) add_machine_type(pool, type);
  }
  // Of a mixed instances policy any type may be started.
  if (spec.get("mixedInstancesPolicy")) {
    pool.machine_types.clear();
    pool.gpu_products.clear();
  }
  add_gpu_knowledge(pool);
}

/// Whether nodes get labels from nothing but the machines and the bootstrap configuration.
[[nodiscard]] bool lists_machine_labels(Node bootstrap) {
  constexpr auto others =
      std::to_array<std::string_view>({"files", "preKubeadmCommands", "preBootstrapCommands",
                                       "postKubeadmCommands", "postBootstrapCommands"});
  return bootstrap.is_mapping() && !bootstrap.is_opaque() &&
         std::ranges::none_of(others,
                              [&](std::string_view key) { return bool(bootstrap.get(key)); });
}

[[nodiscard]] NodePool read_machines(const KubernetesObject& object, const Referred& referred) {
  NodePool pool;
  pool.source = NodePool::Source::cluster_api;
  pool.name = object_name(object.node);
  pool.node = object.node;
  const Node machine = object.node.at("spec", "template");
  for (const LabelEntry& label : read_string_map(machine.at("metadata", "labels"))) {
    if (!is_copied(label.key.value) || !label.value.is_known()) continue;
    set_label(pool, label.key.value, PoolLabel::Known::exact, {label.value.value()},
              label.key.node);
  }
  for (Taint& taint : read_taints(machine.at("spec", "taints"))) {
    pool.taints.push_back(std::move(taint));
  }
  const std::string name =
      read_string(machine.at("spec", "bootstrap", "configRef"), "name").value_or("");
  take_machine_type(referred.find_infrastructure(machine), pool);
  const auto found = referred.bootstraps.find(name);
  if (found == referred.bootstraps.end()) return pool;
  pool.taints_complete = true;
  pool.own_labels_complete = lists_machine_labels(found->second);
  take_bootstrap(found->second, pool);
  return pool;
}

/// Cluster API's MachineDeployments and MachinePools, with what the bootstrap configuration that
/// they name (KubeadmConfigTemplate, EKSConfigTemplate …, among the same objects) tells the
/// kubelet. Control planes are left out.
[[nodiscard]] std::vector<NodePool> read_cluster_api(std::span<const KubernetesObject> objects) {
  Referred referred;
  for (const KubernetesObject& object : objects) {
    const std::string version = object.api_version.value_or("");
    const std::string name = object_name(object.node);
    if (version.starts_with("infrastructure.cluster.x-k8s.io/")) {
      referred.infrastructure.try_emplace({object.kind.value_or(""), name}, object.node);
    }
    if (!version.starts_with("bootstrap.cluster.x-k8s.io/")) continue;
    const Node spec = object.node.get("spec");
    const Node inner = spec.at("template", "spec");
    referred.bootstraps.try_emplace(name, inner ? inner : spec);
  }
  std::vector<NodePool> pools;
  for (const KubernetesObject& object : objects) {
    if (!object.api_version.value_or("").starts_with("cluster.x-k8s.io/")) continue;
    const std::string kind = object.kind.value_or("");
    if (kind != "MachineDeployment" && kind != "MachinePool") continue;
    // The cloud's own object tells all of a managed pool.
    const Node machine = object.node.at("spec", "template");
    const Node infrastructure = referred.find_infrastructure(machine);
    if (read_string(infrastructure, "kind").value_or("").ends_with("ManagedMachinePool")) continue;
    pools.push_back(read_machines(object, referred));
  }
  return pools;
}

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
