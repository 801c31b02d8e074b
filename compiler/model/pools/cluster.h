#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/field.h"
#include "compiler/ir/node.h"
#include "compiler/model/facts/provider.h"
#include "compiler/model/quantity.h"
#include "compiler/model/taint.h"
#include "compiler/model/workload.h"

namespace gpulint {

struct KarpenterPool;  // model/pools/karpenter_pool.h

/// The facts about one label of a pool's nodes.
struct PoolLabel {
  enum class Known : std::uint8_t {
    exact,     ///< Every node of the pool has the value `values[0]`.
    one_of,    ///< Every node has one of `values`.
    none_of,   ///< A node may have any value but `values`; or lack the label.
    exists,    ///< Every node has the label; its value is unknown.
    absent,    ///< No node has it.
    provider,  ///< Added by the provider or the GPU operator: `values`, likely but not certain.
  };
  std::string key;
  Known known = Known::exact;
  std::vector<std::string> values;
  Node node;  ///< Where it is written; null if the provider adds it.

  /// Whether every node has one and the same value.
  [[nodiscard]] bool has_one_value() const { return known == Known::exact && values.size() == 1; }
};

/// Nodes that are equal as far as the inputs show: one Node object, or one pool declaration.
struct NodePool {
  enum class Source : std::uint8_t {
    node,
    karpenter_node_pool,
    karpenter_provisioner,
    eksctl,
    kops,
    cluster_api,
    machine_api,  ///< OpenShift's.
    config_connector,
    compute_class,     ///< GKE's: nodes that it creates for pods.
    service_operator,  ///< Azure's.
    terraform,
    gpulint_config,
    kubelet
  };
  Source source = Source::node;
  std::int64_t equal_nodes = 1;  ///< Of a Node: how many it represents (node_classes.h).
  std::string name;
  Node node;  ///< The object or entry that declares it.
  std::vector<PoolLabel> labels;
  std::vector<Taint> taints;
  std::vector<ResourceEntry> allocatable;
  bool unschedulable = false;
  /// Whether labels, taints or resources that are not listed are certainly absent. True for Node
  /// objects; false for pools whose provider or operator adds more.
  bool labels_complete = false;
  /// Unlisted labels are absent, except those that providers and operators are known to add.
  bool own_labels_complete = false;
  bool taints_complete = false;
  bool resources_complete = false;
  /// Resources that nodes may offer without listing them. Only mark_unknowns() sets it.
  std::vector<std::string> unknown_resources;
  /// What the provider, a device plugin or an operator usually adds: likely, never certain.
  std::vector<Taint> provider_taints;
  std::vector<ResourceEntry> provider_resources;
  std::vector<Value<std::string>> machine_types;  ///< The cloud's, if declared.
  Field<std::int64_t> max_pods;  ///< Of each node, as the declaration or its node class says.
  std::vector<std::string> gpu_products;  ///< Of those: `A100-40GB` …; several if it is unknown
                                          ///< which.
  std::shared_ptr<const KarpenterPool>
      karpenter;      ///< model/pools/karpenter_pool.h; null for others.
  std::string error;  ///< Why the declaring tool rejects it; empty if it accepts it.
  /// Why the kubelet would reject what the declaring tool accepts: the node never becomes ready.
  std::string kubelet_error;
};

/// The nodes of one cluster and the cluster facts that concern them.
struct Cluster {
  std::vector<NodePool> pools;
  Provider provider = Provider::unknown;
  std::string provider_evidence;  ///< "declared", or what it was inferred from, with its place.
  Node provider_node;
};

}  // namespace gpulint
