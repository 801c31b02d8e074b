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

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/ir/node.h"
#include "compiler/ir/read.h"
#include "compiler/model/objects.h"
#include "compiler/model/pools/aks_pools.h"
#include "compiler/model/pools/cluster.h"
#include "compiler/model/pools/eksctl.h"
#include "compiler/model/pools/karpenter_pools.h"
#include "compiler/model/pools/kops.h"
#include "compiler/model/pools/kubelet.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/model/pools/provider_knowledge.h"
#include "compiler/model/pools/read_node.h"
#include "compiler/model/pools/taint_spec.h"
#include "compiler/model/pools/terraform.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

[[nodiscard]] NodePool read_priority(const std::string& name, Node object, Node priority) {
  NodePool pool;
  pool.source = NodePool::Source::compute_class;
  pool.name = name;
  pool.node = priority;
  set_label(pool, "cloud.google.com/compute-class", PoolLabel::Known::exact, {name},
            object.at("metadata", "name"));
  add_machine_type(pool, priority.get("machineType"));
  const Node gpu = priority.get("gpu");
  add_gke_knowledge(pool, {.accelerator = read_string(gpu, "type"),
                           .count = read_int(gpu, "count"),
                           .partition_size = {},
                           .is_spot = read_bool(priority, "spot").equals(true)});
  // GKE makes up the pool's name, and adds tolerations for its own taints to pods of the class
  std::erase_if(pool.labels, [](const PoolLabel& label) {
    return label.key == "cloud.google.com/gke-nodepool";
  });
  pool.provider_taints.clear();
  return pool;
}

/// The nodes that GKE creates for pods that select a ComputeClass (cloud.google.com/v1): one pool
/// for each of its `priorities`, if `nodePoolAutoCreation` is enabled. Empty for other objects, and
/// for priorities that name existing pools. The nodes have the label
/// `cloud.google.com/compute-class` and a taint with that key; GKE adds the toleration to pods that
/// select the class. Further labels and taints are unknown (Google Cloud, "About custom compute
/// classes", "ComputeClass CustomResourceDefinition").
[[nodiscard]] std::vector<NodePool> read_compute_class(const KubernetesObject& object) {
  std::vector<NodePool> pools;
  const bool is_class = object.api_version.value_or("").starts_with("cloud.google.com/") &&
                        object.kind.equals("ComputeClass");
  const std::string name = object_name(object.node);
  if (!is_class || name.empty()) return pools;
  const Node spec = object.node.get("spec");
  if (!read_bool(spec.get("nodePoolAutoCreation"), "enabled").equals(true)) return pools;
  for (const Node priority : spec.get("priorities").items()) {
    if (!priority.is_mapping() || priority.get("nodepools")) continue;
    pools.push_back(read_priority(name, object.node, priority));
  }
  return pools;
}

/// The nodes of a MachineSet of OpenShift's Machine API (openshift/api, machine/v1beta1): labels
/// and taints of the machine's spec, which its node-link controller copies to nodes, and the
/// machine type of AWS, Azure or Google Cloud. Labels of the machine itself are not copied.
[[nodiscard]] NodePool read_machine_set(const KubernetesObject& object) {
  NodePool pool;
  pool.source = NodePool::Source::machine_api;
  pool.name = object_name(object.node);
  pool.node = object.node;
  const Node machine = object.node.at("spec", "template", "spec");
  const Node labels = machine.at("metadata", "labels");
  pool.labels = read_pool_labels(labels);
  for (Taint& taint : read_taints(machine.get("taints"))) pool.taints.push_back(std::move(taint));
  pool.own_labels_complete = has_known_keys(labels);
  pool.taints_complete = !machine.get("taints").is_opaque();
  const Node provider = machine.at("providerSpec", "value");
  // GPUs that Google Cloud adds to a machine are not part of its type
  const bool has_more = static_cast<bool>(provider.get("gpus"));
  for (const std::string_view key : {"instanceType", "vmSize", "machineType"}) {
    const Node type = provider.get(key);
    if (type.is_scalar() && !has_more) add_machine_type(pool, type);
  }
  add_gpu_knowledge(pool);
  return pool;
}

[[nodiscard]] NodePool start(const KubernetesObject& object, NodePool::Source source) {
  NodePool pool;
  pool.source = source;
  pool.name = object_name(object.node);
  pool.node = object.node;
  return pool;
}

/// Nodes have these labels and the provider's own, and no others.
void take_labels(Node map, NodePool& pool) {
  pool.labels = read_pool_labels(map);
  pool.own_labels_complete = has_known_keys(map);
}

/// A name that the controller makes up cannot be a label's value.
void forget_label(std::string_view key, NodePool& pool) {
  std::erase_if(pool.labels, [&](const PoolLabel& label) {
    return label.key == key && label.known == PoolLabel::Known::provider;
  });
}

/// A list of `{key, value, effect}` with effects in the cloud's spelling.
using Effects = std::array<std::string_view, 3>;

/// terraform-provider-google, the base of Config Connector: node_config.go.
constexpr Effects google_effects{"NO_SCHEDULE", "PREFER_NO_SCHEDULE", "NO_EXECUTE"};

/// The CRDs of cluster-api-provider-aws, -azure and -gcp.
constexpr Effects aws_effects{"no-schedule", "prefer-no-schedule", "no-execute"};

constexpr Effects plain_effects{"NoSchedule", "PreferNoSchedule", "NoExecute"};

void take_taints(Node list, const Effects& effects, NodePool& pool) {
  for (Taint& taint : read_taints(list)) {
    const bool is_wrong = taint.effect.is_known() && !is_listed(effects, taint.effect.value());
    if (is_wrong && pool.error.empty()) {
      pool.error = fmt::format("the effect `{}` must be one of `{}`", taint.effect.value(),
                               fmt::join(effects, "`, `"));
    }
    taint.effect = normalized_effect(taint.effect);
    pool.taints.push_back(std::move(taint));
  }
  pool.taints_complete = !(list.is_scalar() && list.is_opaque());
}

/// The nodes have no GPU.
void state_no_gpus(NodePool& pool) {
  set_label(pool, "cloud.google.com/gke-accelerator", PoolLabel::Known::absent, {}, pool.node);
  pool.allocatable.push_back(
      {{"nvidia.com/gpu", {}}, Field<Quantity>::known(Quantity::of(0), pool.node)});
}

/// A cluster declares the nodes of its default pool. Their default type is e2-medium, without GPUs
/// (https://cloud.google.com/kubernetes-engine/docs/concepts/node-pools).
void make_default_pool(Node spec, NodePool& pool) {
  forget_label("cloud.google.com/gke-nodepool", pool);
  const Node config = spec.get("nodeConfig");
  const bool is_plain = !config || (config.is_mapping() && has_known_keys(config) &&
                                    !config.get("guestAccelerator") && !config.get("machineType"));
  const Field<bool> autopilot = read_bool(spec, "enableAutopilot");
  if (is_plain && (autopilot.is_absent() || autopilot.equals(false))) state_no_gpus(pool);
}

[[nodiscard]] NodePool read_container_pool(const KubernetesObject& object) {
  NodePool pool = start(object, NodePool::Source::config_connector);
  const Field<std::string> id = read_string(object.node.get("spec"), "resourceID");
  if (id.is_known()) pool.name = id.value();
  const Node config = object.node.at("spec", "nodeConfig");
  take_labels(config.get("labels"), pool);
  take_taints(config.get("taint"), google_effects, pool);
  add_machine_type(pool, config.get("machineType"));
  const std::vector<Node> accelerators = config.get("guestAccelerator").items();
  const Node accelerator = accelerators.empty() ? Node{} : accelerators.front();
  add_gke_knowledge(pool, {.accelerator = read_string(accelerator, "type"),
                           .count = read_int(accelerator, "count"),
                           .partition_size = read_string(accelerator, "gpuPartitionSize"),
                           .is_spot = read_bool(config, "spot").equals(true)});
  if (object.kind.equals("ContainerCluster")) make_default_pool(object.node.get("spec"), pool);
  // Only N1 machines may have GPUs that their type does not tell.
  const bool is_bare = has_known_keys(config) && !accelerator &&
                       !config.get("guestAccelerator").is_opaque() &&
                       config.get("machineType").text().starts_with("n1-");
  if (is_bare) state_no_gpus(pool);
  return pool;
}

[[nodiscard]] NodePool read_aws_pool(const KubernetesObject& object) {
  NodePool pool = start(object, NodePool::Source::cluster_api);
  const Node spec = object.node.get("spec");
  const Field<std::string> name = read_string(spec, "eksNodegroupName");
  if (name.is_known()) pool.name = name.value();
  take_labels(spec.get("labels"), pool);
  take_taints(spec.get("taints"), aws_effects, pool);
  add_machine_type(pool, spec.get("instanceType"));
  add_eks_knowledge(pool, read_string(spec, "capacityType").equals("spot")
                              ? EksCapacity::spot
                              : EksCapacity::on_demand);
  if (!name.is_known()) forget_label("eks.amazonaws.com/nodegroup", pool);
  add_gpu_knowledge(pool);
  return pool;
}

[[nodiscard]] NodePool read_azure_pool(const KubernetesObject& object) {
  NodePool pool = start(object, NodePool::Source::cluster_api);
  const Node spec = object.node.get("spec");
  const Field<std::string> name = read_string(spec, "name");
  if (name.is_known()) pool.name = name.value();
  take_labels(spec.get("nodeLabels"), pool);
  take_taints(spec.get("taints"), plain_effects, pool);
  add_machine_type(pool, spec.get("sku"));
  add_aks_knowledge(pool, read_string(spec, "scaleSetPriority").equals("Spot")
                              ? AksPriority::spot
                              : AksPriority::regular);
  return pool;
}

[[nodiscard]] NodePool read_gcp_pool(const KubernetesObject& object) {
  NodePool pool = start(object, NodePool::Source::cluster_api);
  const Node spec = object.node.get("spec");
  const Field<std::string> name = read_string(spec, "nodePoolName");
  if (name.is_known()) pool.name = name.value();
  take_labels(spec.get("kubernetesLabels"), pool);
  take_taints(spec.get("kubernetesTaints"), plain_effects, pool);
  add_machine_type(pool, spec.get("machineType"));
  add_gke_knowledge(pool, {});
  if (!name.is_known()) forget_label("cloud.google.com/gke-nodepool", pool);
  return pool;
}

/// Node pools that a cloud's controller creates from an object: Config Connector's
/// ContainerNodePool and ContainerCluster, Cluster API's managed machine pools (AWS, Azure, GCP).
/// nullopt for others.
[[nodiscard]] std::optional<NodePool> read_cloud_pool(const KubernetesObject& object) {
  const std::string version = object.api_version.value_or("");
  const std::string kind = object.kind.value_or("");
  if (version.starts_with("container.cnrm.cloud.google.com/") &&
      (kind == "ContainerNodePool" || kind == "ContainerCluster")) {
    return read_container_pool(object);
  }
  if (!version.starts_with("infrastructure.cluster.x-k8s.io/")) return std::nullopt;
  if (kind == "AWSManagedMachinePool") return read_aws_pool(object);
  if (kind == "AzureManagedMachinePool") return read_azure_pool(object);
  if (kind == "GCPManagedMachinePool") return read_gcp_pool(object);
  return std::nullopt;
}

/// Domains of the labels that Cluster API copies from machines to nodes.
[[nodiscard]] bool is_copied(std::string_view key) {
  const std::string_view domain = key.substr(0, key.find('/'));
  return domain == "node-role.kubernetes.io" || domain == "node-restriction.kubernetes.io" ||
         domain.ends_with(".node-restriction.kubernetes.io") || domain == "node.cluster.x-k8s.io" ||
         domain.ends_with(".node.cluster.x-k8s.io");
}

/// `kubeletExtraArgs` is a map or, since v1beta2, a list of `{name, value}`.
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

/// A bootstrap configuration for kubeadm or EKS.
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

/// The key of the machine type in machine templates of AWS, Azure and Google Cloud.
void take_machine_type(Node infrastructure, NodePool& pool) {
  const Node spec = infrastructure.get("spec");
  const Node inner = spec.at("template", "spec");
  for (const Node type :
       {inner.get("instanceType"), inner.get("vmSize"),
        spec.at("awsLaunchTemplate", "instanceType"), spec.at("template", "vmSize")}) {
    if (type.is_scalar()) add_machine_type(pool, type);
  }
  // with a mixed instances policy any type may be started
  if (spec.get("mixedInstancesPolicy")) {
    pool.machine_types.clear();
    pool.gpu_products.clear();
  }
  add_gpu_knowledge(pool);
}

/// Whether nodes receive labels only from the machines and the bootstrap configuration.
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

/// Cluster API's MachineDeployments and MachinePools, with the kubelet settings of the bootstrap
/// configuration that they name (KubeadmConfigTemplate, EKSConfigTemplate …, among the same
/// objects). Control planes are left out.
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
    // the cloud's own object has everything about a managed pool
    const Node machine = object.node.at("spec", "template");
    const Node infrastructure = referred.find_infrastructure(machine);
    if (read_string(infrastructure, "kind").value_or("").ends_with("ManagedMachinePool")) continue;
    pools.push_back(read_machines(object, referred));
  }
  return pools;
}

constexpr AutoProvisioningFields connector_auto_provisioning{
    "enableAutopilot", "clusterAutoscaling", "resourceLimits", "resourceType"};

/// Config Connector deletes the default pool of such a cluster after its creation.
[[nodiscard]] bool removes_default_pool(const KubernetesObject& object) {
  return object.kind.equals("ContainerCluster") &&
         read_string(object.node.at("metadata", "annotations"),
                     "cnrm.cloud.google.com/remove-default-node-pool")
             .equals("true");
}

void read_object(const KubernetesObject& object, std::vector<NodePool>& pools) {
  const std::string version = object.api_version.value_or("");
  const std::string kind = object.kind.value_or("");
  // items of a NodeList; other tools' trees also have a `kind: Node`
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
  // classes alone do not show which nodes a cluster has
  if (!pools.empty()) std::ranges::move(made_for_pods, std::back_inserter(pools));
  return pools;
}

}  // namespace gpulint
