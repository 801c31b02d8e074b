#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "compiler/model/pools/config_pools.h"
#include "compiler/model/pools/find_pools.h"
#include "compiler/model/pools/kubelet.h"
#include "compiler/model/scope/build_scope_model.h"
#include "tests/unit/schedule/parsed.h"

namespace gpulint {
namespace {

/// The pools of one text, which stays alive with them.
struct Pools {
  explicit Pools(const std::string& text) : parsed(text) {
    std::vector<Node> roots;
    for (std::size_t i = 0; i < parsed.size(); ++i) roots.push_back(parsed.root(i));
    pools = find_pools(roots);
  }
  test::Parsed parsed;
  std::vector<NodePool> pools;
};

[[nodiscard]] std::string to_string(const Taint& taint) {
  return taint.key.value_or("") + "=" + taint.value.value_or("") + ":" + taint.effect.value_or("");
}

[[nodiscard]] std::vector<std::string> taints_of(const NodePool& pool) {
  std::vector<std::string> texts;
  for (const Taint& taint : pool.taints) texts.push_back(to_string(taint));
  return texts;
}

[[nodiscard]] const PoolLabel* find_label(const NodePool& pool, const std::string& key) {
  const auto found = std::ranges::find(pool.labels, key, &PoolLabel::key);
  return found == pool.labels.end() ? nullptr : &*found;
}

/// `known value`, or "" where the label is not listed.
[[nodiscard]] std::string label(const NodePool& pool, const std::string& key) {
  const PoolLabel* const found = find_label(pool, key);
  if (found == nullptr) return {};
  const bool is_exact = found->known == PoolLabel::Known::exact;
  return (is_exact ? "" : "~") + (found->values.empty() ? std::string() : found->values.front());
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("pools of Azure Service Operator") {
  const Pools read(R"(
apiVersion: containerservice.azure.com/v1api20240901
kind: ManagedCluster
metadata: {name: aks}
spec:
  agentPoolProfiles:
  - {name: system, mode: System, count: 3, vmSize: Standard_D4ds_v5}
---
apiVersion: containerservice.azure.com/v1api20240901
kind: ManagedClustersAgentPool
metadata: {name: aks-t4}
spec:
  azureName: t4
  vmSize: Standard_NC16as_T4_v3
  scaleSetPriority: Spot
  nodeLabels: {tier: batch}
  nodeTaints: ["sku=gpu:NoSchedule"]
---
apiVersion: containerservice.azure.com/v1api20240901
kind: ManagedClustersAgentPool
metadata: {name: named-as-the-object}
spec:
  vmSize: Standard_NC24ads_A100_v4
  nodeTaints: ["sku=gpu:NoSchedul"]
)");
  REQUIRE(read.pools.size() == 3);
  CHECK(read.pools[0].name == "system");
  CHECK(read.pools[0].source == NodePool::Source::service_operator);
  const NodePool& spot = read.pools[1];
  CHECK(spot.name == "t4");
  CHECK(taints_of(spot) == Texts{"sku=gpu:NoSchedule"});
  REQUIRE(spot.provider_taints.size() == 1);
  CHECK(to_string(spot.provider_taints[0]) ==
        "kubernetes.azure.com/scalesetpriority=spot:NoSchedule");
  CHECK(label(spot, "tier") == "batch");
  CHECK(label(spot, "kubernetes.azure.com/agentpool") == "~t4");
  CHECK(spot.own_labels_complete);
  CHECK(spot.taints_complete);
  CHECK(read.pools[2].name == "named-as-the-object");
  CHECK(read.pools[2].error == "invalid taint effect: NoSchedul, unsupported taint effect");
}

TEST_CASE("nodes that GKE makes for the pods of a ComputeClass") {
  const std::string pool = R"(
apiVersion: container.cnrm.cloud.google.com/v1beta1
kind: ContainerNodePool
metadata: {name: cpu}
spec:
  nodeConfig: {machineType: e2-standard-8}
---)";
  const std::string given = R"(
apiVersion: cloud.google.com/v1
kind: ComputeClass
metadata: {name: l4}
spec:
  nodePoolAutoCreation: {enabled: true}
  priorities:
  - machineType: g2-standard-12
    spot: true
    gpu: {type: nvidia-l4, count: 1}
  - nodepools: [made-by-hand]
)";
  SECTION("beside other pools") {
    const Pools read(pool + given);
    REQUIRE(read.pools.size() == 2);
    const NodePool& made = read.pools[1];
    CHECK(made.source == NodePool::Source::compute_class);
    CHECK(label(made, "cloud.google.com/compute-class") == "l4");
    CHECK(label(made, "cloud.google.com/gke-accelerator") == "nvidia-l4");
    CHECK(label(made, "cloud.google.com/gke-spot") == "~true");
    CHECK(label(made, "cloud.google.com/gke-nodepool").empty());
    CHECK(made.provider_taints.empty());
    CHECK_FALSE(made.taints_complete);
    CHECK_FALSE(made.own_labels_complete);
  }
  SECTION("alone they do not tell what nodes there are") { CHECK(Pools(given).pools.empty()); }
  SECTION("without auto-creation somebody else makes the nodes") {
    std::string off = given;
    off.replace(off.find("enabled: true"), 13, "enabled: false");
    CHECK(Pools(pool + off).pools.size() == 1);
  }
}

TEST_CASE("a GKE node pool of Config Connector") {
  const Pools read(R"(
apiVersion: container.cnrm.cloud.google.com/v1beta1
kind: ContainerNodePool
metadata: {name: a100}
spec:
  nodeConfig:
    machineType: a2-highgpu-1g
    labels: {team: ml}
    taint: [{key: team, value: ml, effect: NO_SCHEDULE}]
    guestAccelerator: [{type: nvidia-tesla-a100, count: 2, gpuPartitionSize: 1g.5gb}]
)");
  REQUIRE(read.pools.size() == 1);
  const NodePool& pool = read.pools[0];
  CHECK(pool.source == NodePool::Source::config_connector);
  CHECK(taints_of(pool) == Texts{"team=ml:NoSchedule"});
  CHECK(label(pool, "team") == "ml");
  CHECK(label(pool, "cloud.google.com/gke-accelerator") == "nvidia-tesla-a100");
  CHECK(label(pool, "cloud.google.com/gke-gpu-partition-size") == "~1g.5gb");
  REQUIRE(pool.provider_taints.size() == 1);
  CHECK(to_string(pool.provider_taints[0]) == "nvidia.com/gpu=present:NoSchedule");
  REQUIRE(pool.provider_resources.size() == 1);
  CHECK(pool.provider_resources[0].amount.value().value() == 14);  // two GPUs of seven slices
}

TEST_CASE("Terraform's JSON: GKE, EKS with user data, AKS, modules") {
  // The user data is: /etc/eks/bootstrap.sh c --kubelet-extra-args '--node-labels=a=b
  // --register-with-taints=gpu=true:NoSchedule'
  const Pools read(
      R"({"format_version": "1.0", "terraform_version": "1.9.0", "planned_values": {"root_module": {
  "resources": [
   {"type": "aws_launch_template", "values": {"id": "lt-1", "name": "gpu", "user_data": "L2V0Yy9la3MvYm9vdHN0cmFwLnNoIGMgLS1rdWJlbGV0LWV4dHJhLWFyZ3MgJy0tbm9kZS1sYWJlbHM9YT1iIC0tcmVnaXN0ZXItd2l0aC10YWludHM9Z3B1PXRydWU6Tm9TY2hlZHVsZSc="}},
   {"type": "aws_eks_node_group", "values": {"node_group_name": "gpu", "instance_types": ["p4d.24xlarge"], "labels": {"team": "ml"}, "taint": [{"key": "team", "value": "ml", "effect": "NO_EXECUTE"}], "capacity_type": "SPOT", "launch_template": [{"id": "lt-1"}]}}],
  "child_modules": [{"resources": [
   {"type": "google_container_node_pool", "values": {"name": "t4", "node_config": [{"labels": {"x": "y"}, "taint": [], "guest_accelerator": [{"type": "nvidia-tesla-t4", "count": 1}]}]}},
   {"type": "azurerm_kubernetes_cluster_node_pool", "values": {"name": "nc", "vm_size": "Standard_NC6s_v3", "node_labels": {"l": "m"}, "node_taints": ["sku=gpu:NoSchedule"], "priority": "Spot"}}]}]}}})");
  REQUIRE(read.pools.size() == 3);
  const NodePool& eks = read.pools[0];
  CHECK(eks.name == "gpu");
  CHECK(taints_of(eks) == Texts{"team=ml:NoExecute", "gpu=true:NoSchedule"});
  CHECK(label(eks, "a") == "b");
  CHECK(label(eks, "eks.amazonaws.com/capacityType") == "~SPOT");
  CHECK(eks.gpu_products == Texts{"A100-40GB"});
  CHECK(label(read.pools[1], "cloud.google.com/gke-accelerator") == "nvidia-tesla-t4");
  const NodePool& aks = read.pools[2];
  CHECK(taints_of(aks) == Texts{"sku=gpu:NoSchedule"});
  REQUIRE(aks.provider_taints.size() == 1);
  CHECK(to_string(aks.provider_taints[0]) ==
        "kubernetes.azure.com/scalesetpriority=spot:NoSchedule");
}

TEST_CASE("Cluster API: machines take labels and taints of their bootstrap configuration") {
  const Pools read(R"(
apiVersion: cluster.x-k8s.io/v1beta1
kind: MachineDeployment
metadata: {name: gpu}
spec:
  template:
    metadata: {labels: {node-role.kubernetes.io/gpu: "", team: ml}}
    spec: {bootstrap: {configRef: {name: gpu-join}}}
---
apiVersion: bootstrap.cluster.x-k8s.io/v1beta1
kind: KubeadmConfigTemplate
metadata: {name: gpu-join}
spec:
  template:
    spec:
      joinConfiguration:
        nodeRegistration:
          taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]
          kubeletExtraArgs: {node-labels: "accelerator=a100"}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: AzureManagedMachinePool
metadata: {name: np}
spec: {sku: Standard_NC6s_v3, nodeLabels: {a: b}, taints: [{key: sku, value: gpu, effect: NoSchedule}]}
)");
  REQUIRE(read.pools.size() == 2);
  const NodePool& machines = read.pools[1];
  CHECK(machines.name == "gpu");
  CHECK(taints_of(machines) == Texts{"nvidia.com/gpu=present:NoSchedule"});
  CHECK(label(machines, "accelerator") == "a100");
  CHECK(find_label(machines, "node-role.kubernetes.io/gpu") != nullptr);
  CHECK(find_label(machines, "team") == nullptr);  // not copied to nodes
  CHECK(taints_of(read.pools[0]) == Texts{"sku=gpu:NoSchedule"});
}

TEST_CASE("a Karpenter NodePool leaves labels as sets") {
  const Pools read(R"(
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: gpu}
spec:
  template:
    metadata: {labels: {team: ml}}
    spec:
      requirements:
      - {key: node.kubernetes.io/instance-type, operator: In, values: [g5.xlarge, g4dn.xlarge]}
      - {key: karpenter.sh/capacity-type, operator: NotIn, values: [spot]}
      taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
      startupTaints: [{key: not-ready, effect: NoSchedule}]
)");
  REQUIRE(read.pools.size() == 1);
  const NodePool& pool = read.pools[0];
  CHECK(taints_of(pool) == Texts{"nvidia.com/gpu=:NoSchedule"});
  REQUIRE(find_label(pool, "node.kubernetes.io/instance-type") != nullptr);
  CHECK(find_label(pool, "node.kubernetes.io/instance-type")->known == PoolLabel::Known::one_of);
  CHECK(find_label(pool, "karpenter.sh/capacity-type")->known == PoolLabel::Known::none_of);
  CHECK(label(pool, "karpenter.sh/nodepool") == "gpu");
  CHECK(pool.gpu_products == Texts{"A10G", "T4"});
}

TEST_CASE("nodePools of gpulint.yaml") {
  const test::Parsed parsed(R"(
- name: a100
  labels: {pool: gpu}
  taints: [{key: gpu, effect: NoSchedule}, "dedicated=ml:NoExecute"]
  allocatable: {nvidia.com/gpu: 24}
)");
  const std::vector<NodePool> pools = read_config_pools(parsed.root());
  REQUIRE(pools.size() == 1);
  CHECK(taints_of(pools[0]) == Texts{"gpu=:NoSchedule", "dedicated=ml:NoExecute"});
  CHECK(pools[0].resources_complete);
  CHECK(pools[0].own_labels_complete);
}

TEST_CASE("kubelet flags are found in boot scripts, shell expansions are not guessed") {
  const KubeletFlags flags = find_kubelet_flags(
      "#!/bin/bash\nbootstrap.sh --kubelet-extra-args \"--node-labels=a=b,c=d "
      "--register-with-taints=x=y:NoSchedule\"\n");
  CHECK(flags.node_labels == "a=b,c=d");
  CHECK(flags.register_with_taints == "x=y:NoSchedule");
  CHECK(find_kubelet_flags("--node-labels=pool=$POOL").node_labels.empty());
  CHECK(find_kubelet_flags("nothing of the kind").node_labels.empty());
}

TEST_CASE("the provider is inferred from what only one provider has, and never against a word") {
  const auto provider_in = [](const std::string& text, Provider declared = Provider::unknown) {
    const test::Parsed parsed(text);
    std::vector<const Document*> documents;
    for (std::size_t i = 0; i < parsed.size(); ++i) documents.push_back(&parsed.document(i));
    Settings settings;
    settings.provider = declared;
    return build_scope_model(parsed.sources(), settings, documents).cluster.provider;
  };
  const std::string eks = R"(
apiVersion: v1
kind: ServiceAccount
metadata: {name: a, annotations: {eks.amazonaws.com/role-arn: "arn:aws:iam::1:role/x"}}
)";
  const std::string gke = R"(
---
apiVersion: v1
kind: Node
metadata: {name: n, labels: {cloud.google.com/gke-nodepool: p}}
)";
  CHECK(provider_in(eks) == Provider::eks);
  CHECK(provider_in(gke) == Provider::gke);
  CHECK(provider_in(eks + gke) == Provider::unknown);
  CHECK(provider_in(eks, Provider::generic) == Provider::generic);
  CHECK(provider_in("{apiVersion: v1, kind: Pod}") == Provider::unknown);
}

}  // namespace gpulint
