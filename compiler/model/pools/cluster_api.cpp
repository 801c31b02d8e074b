#include "compiler/model/pools/cluster_api.h"

#include <map>
#include <string>
#include <utility>

#include "compiler/ir/read.h"
#include "compiler/model/pools/kubelet.h"
#include "compiler/model/pools/pool_fields.h"
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
      for (PoolLabel& label : parse_node_labels(text.value(), labels).labels) {
        set_label(pool, std::move(label));
      }
    }
  }
  const Node taints = kubelet_argument(arguments, "register-with-taints");
  if (!taints) return;
  const Field<std::string> text = read_string(taints);
  if (text.is_opaque()) pool.taints_complete = false;
  if (!text.is_known()) return;
  RegisteredTaints parsed = parse_register_with_taints(text.value(), taints);
  pool.kubelet_error = std::move(parsed.error);
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

[[nodiscard]] NodePool read_machines(const KubernetesObject& object,
                                     const std::map<std::string, Node>& bootstraps) {
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
  const auto found = bootstraps.find(name);
  if (found == bootstraps.end()) return pool;
  pool.taints_complete = true;
  take_bootstrap(found->second, pool);
  return pool;
}

}  // namespace

std::vector<NodePool> read_cluster_api(std::span<const KubernetesObject> objects) {
  std::map<std::string, Node> bootstraps;
  for (const KubernetesObject& object : objects) {
    if (!object.api_version.value_or("").starts_with("bootstrap.cluster.x-k8s.io/")) continue;
    const Node spec = object.node.get("spec");
    const Node inner = spec.at("template", "spec");
    bootstraps.try_emplace(object_name(object.node), inner ? inner : spec);
  }
  std::vector<NodePool> pools;
  for (const KubernetesObject& object : objects) {
    if (!object.api_version.value_or("").starts_with("cluster.x-k8s.io/")) continue;
    const std::string kind = object.kind.value_or("");
    if (kind != "MachineDeployment" && kind != "MachinePool") continue;
    pools.push_back(read_machines(object, bootstraps));
  }
  return pools;
}

}  // namespace gpulint
