#include "compiler/model/scope/read_cluster.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/ir/node.h"
#include "compiler/ir/read.h"
#include "compiler/model/objects.h"
#include "compiler/model/pools/config_pools.h"
#include "compiler/model/pools/find_pools.h"
#include "compiler/model/pools/pod_limit.h"

namespace gpulint {
namespace {

/// The provider that a label or annotation key shows.
struct KeyEvidence {
  std::string_view prefix;
  Provider provider;
};
constexpr std::array<KeyEvidence, 8> node_label_evidence{
    {{"cloud.google.com/gke-nodepool", Provider::gke},
     {"cloud.google.com/gke-accelerator", Provider::gke},
     {"eks.amazonaws.com/", Provider::eks},
     {"alpha.eksctl.io/", Provider::eks},
     {"karpenter.k8s.aws/", Provider::eks},
     {"kubernetes.azure.com/", Provider::aks},
     {"node.openshift.io/", Provider::generic},
     {"oci.oraclecloud.com/", Provider::generic}}};
constexpr std::array<KeyEvidence, 3> account_evidence{
    {{"iam.gke.io/gcp-service-account", Provider::gke},
     {"eks.amazonaws.com/role-arn", Provider::eks},
     {"azure.workload.identity/client-id", Provider::aks}}};
constexpr std::array<KeyEvidence, 4> provisioner_evidence{
    {{"pd.csi.storage.gke.io", Provider::gke},
     {"filestore.csi.storage.gke.io", Provider::gke},
     {"disk.csi.azure.com", Provider::aks},
     {"file.csi.azure.com", Provider::aks}}};

/// Collects evidence until two pieces disagree.
class Inference {
 public:
  void take(Provider provider, std::string evidence, Node node) {
    if (provider_ == Provider::unknown) {
      provider_ = provider;
      evidence_ = std::move(evidence);
      node_ = node;
    } else if (provider_ != provider) {
      is_contradictory_ = true;
    }
  }

  template <std::size_t n>
  void take_key(const std::array<KeyEvidence, n>& table, std::string_view key, Node node) {
    for (const KeyEvidence& evidence : table) {
      if (key.starts_with(evidence.prefix)) take(evidence.provider, std::string(key), node);
    }
  }

  /// Further evidence is ignored.
  void give_up() { is_contradictory_ = true; }

  void conclude(Cluster& cluster) const {
    if (is_contradictory_ || provider_ == Provider::unknown) return;
    cluster.provider = provider_;
    cluster.provider_evidence = evidence_;
    cluster.provider_node = node_;
  }

 private:
  Provider provider_ = Provider::unknown;
  std::string evidence_;
  Node node_;
  bool is_contradictory_ = false;
};

/// The cloud whose Karpenter reads the pool; on AWS that is EKS, unless there is evidence of kOps.
void take_node_class(const NodePool& pool, Inference& inference) {
  const Node reference = pool.node.at("spec", "template", "spec", "nodeClassRef");
  const Field<std::string> kind = read_string(reference, "kind");
  if (read_string(reference, "group").equals("eks.amazonaws.com")) {
    inference.take(Provider::eks, "NodeClass of EKS Auto Mode", kind.node());
  }
  if (kind.equals("EC2NodeClass")) inference.take(Provider::eks, "EC2NodeClass", kind.node());
  if (kind.equals("AKSNodeClass")) inference.take(Provider::aks, "AKSNodeClass", kind.node());
}

/// A Node that Karpenter created: its machine's id shows the cloud. Without Karpenter, or with
/// kOps, the id proves nothing (self-managed clusters).
void take_machine(const NodePool& pool, Inference& inference) {
  const Field<std::string> id = read_string(pool.node.at("spec"), "providerID");
  if (!id.is_known()) return;
  const auto has_label = [&](std::string_view prefix) {
    return std::ranges::any_of(
        pool.labels, [&](const PoolLabel& label) { return label.key.starts_with(prefix); });
  };
  if (has_label("kops.k8s.io/")) return inference.give_up();
  if (!has_label("karpenter.sh/")) return;
  if (id.value().starts_with("aws://")) inference.take(Provider::eks, id.value(), id.node());
  if (id.value().starts_with("azure://")) inference.take(Provider::aks, id.value(), id.node());
}

void take_pool(const NodePool& pool, Inference& inference) {
  switch (pool.source) {
    case NodePool::Source::eksctl:
      inference.take(Provider::eks, "eksctl ClusterConfig", pool.node);
      break;
    case NodePool::Source::config_connector:
      inference.take(Provider::gke, "ContainerNodePool", pool.node);
      break;
    case NodePool::Source::compute_class:
      inference.take(Provider::gke, "ComputeClass", pool.node);
      break;
    case NodePool::Source::service_operator:
      inference.take(Provider::aks, "pool of Azure Service Operator", pool.node);
      break;
    case NodePool::Source::karpenter_node_pool:
      take_node_class(pool, inference);
      break;
    case NodePool::Source::kops:
      inference.give_up();  // its own control plane, next to a cloud's labels and disks
      break;
    case NodePool::Source::node:
      take_machine(pool, inference);
      break;
    case NodePool::Source::machine_api:
      // openshift/cluster-kube-apiserver-operator, bindata/assets/config/defaultconfig.yaml: its
      // API server runs without ExtendedResourceToleration.
      inference.take(Provider::generic, "OpenShift MachineSet", pool.node);
      break;
    case NodePool::Source::karpenter_provisioner:
    case NodePool::Source::cluster_api:
    case NodePool::Source::terraform:
    case NodePool::Source::gpulint_config:
    case NodePool::Source::kubelet:
      break;
  }
  for (const PoolLabel& label : pool.labels) {
    inference.take_key(node_label_evidence, label.key, label.node);
  }
}

/// ServiceAccounts bound to a cloud's identities, and StorageClasses of its disks.
void take_objects(std::span<const KubernetesObject> objects, Inference& inference) {
  for (const KubernetesObject& object : objects) {
    if (object.kind.equals("ServiceAccount")) {
      for (const Node::Entry& entry : object.node.at("metadata", "annotations").fields()) {
        inference.take_key(account_evidence, entry.key.text(), entry.key);
      }
    } else if (object.kind.equals("StorageClass")) {
      const Field<std::string> provisioner = read_string(object.node, "provisioner");
      if (provisioner.is_known()) {
        inference.take_key(provisioner_evidence, provisioner.value(), provisioner.node());
      }
    }
  }
}

}  // namespace

Cluster read_cluster(const std::vector<const Document*>& documents,
                     std::span<const KubernetesObject> objects, const Settings& settings,
                     std::vector<NodePool> shared) {
  std::vector<Node> roots;
  for (const Document* document : documents) {
    if (document->errors.empty())
      roots.push_back(root(*document));  // documents with syntax errors
                                         // are no evidence
  }
  Cluster cluster;
  cluster.pools = find_pools(roots);
  std::ranges::move(shared, std::back_inserter(cluster.pools));
  for (NodePool& pool : cluster.pools) pool.max_pods = read_pod_limit(pool, objects);
  std::ranges::move(read_config_pools(settings.node_pools), std::back_inserter(cluster.pools));
  if (settings.provider != Provider::unknown) {
    cluster.provider = settings.provider;
    cluster.provider_evidence = "declared";
    return cluster;
  }
  Inference inference;
  for (const NodePool& pool : cluster.pools) take_pool(pool, inference);
  take_objects(objects, inference);
  inference.conclude(cluster);
  return cluster;
}

}  // namespace gpulint
