#include "compiler/schedule/pool_size.h"

#include <string_view>

#include "compiler/ir/read.h"
#include "compiler/model/kubernetes_names.h"
#include "compiler/model/pools/terraform.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

constexpr std::int64_t most_nodes = 100'000;

[[nodiscard]] std::optional<PoolSize> size_at(Node owner, std::string_view key) {
  const Field<std::int64_t> size = read_int(owner, key);
  if (!size.is_known() || size.value() < 0 || size.value() > most_nodes) return std::nullopt;
  return PoolSize{size.value(), size.node()};
}

/// The number of zones over which GKE spreads a pool; nullopt if the cluster decides.
[[nodiscard]] std::optional<std::int64_t> zones_of(Node owner, std::string_view locations) {
  const Node list = owner.get(locations);
  if (list.is_sequence() && !list.items().empty()) {
    return static_cast<std::int64_t>(list.items().size());
  }
  // `us-central1-a` is a zone, `us-central1` a region with several zones.
  const std::string location = read_string(owner, "location").value_or("");
  const bool is_zone = location.size() > 2 && location[location.size() - 2] == '-';
  return is_zone && !list ? std::optional<std::int64_t>(1) : std::nullopt;
}

/// The names of a GKE pool's fields in Config Connector or Terraform.
struct GkeFields {
  std::string_view locations;
  std::string_view total;
  std::string_view each;
  std::string_view fixed;
};

[[nodiscard]] std::optional<PoolSize> gke_size(Node owner, const GkeFields& fields) {
  const Node scaling = terraform_block(owner, "autoscaling");
  if (scaling.get(fields.total)) return size_at(scaling, fields.total);
  const auto zones = zones_of(owner, fields.locations);
  auto size = scaling ? size_at(scaling, fields.each) : size_at(owner, fields.fixed);
  if (!size || !zones) return std::nullopt;
  size->most *= *zones;
  return size;
}

[[nodiscard]] std::optional<PoolSize> config_connector_size(Node spec) {
  if (auto size =
          gke_size(spec, {"nodeLocations", "totalMaxNodeCount", "maxNodeCount", "nodeCount"})) {
    return size;
  }
  if (spec.get("nodeCount")) return std::nullopt;
  return gke_size(spec, {"nodeLocations", "totalMaxNodeCount", "maxNodeCount", "initialNodeCount"});
}

[[nodiscard]] std::optional<PoolSize> terraform_size(Node values) {
  if (const Node scaling = terraform_block(values, "scaling_config"))
    return size_at(scaling, "max_size");
  if (values.get("vm_size")) {
    const bool scales = read_bool(values, "auto_scaling_enabled").equals(true) ||
                        read_bool(values, "enable_auto_scaling").equals(true);
    return size_at(values, scales ? "max_count" : "node_count");
  }
  return gke_size(values,
                  {"node_locations", "total_max_node_count", "max_node_count", "node_count"});
}

[[nodiscard]] std::optional<PoolSize> cluster_api_size(Node object) {
  const Node spec = object.get("spec");
  if (const Node scaling = spec.get("scaling")) {
    return size_at(scaling, scaling.get("maxCount") ? "maxCount" : "maxSize");
  }
  // Another controller sets the replicas.
  if (object.at("metadata", "annotations", "cluster.x-k8s.io/replicas-managed-by")) {
    return std::nullopt;
  }
  // The annotation that the autoscaler's Cluster API provider reads.
  constexpr std::string_view annotation =
      "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size";
  if (const Node most = object.at("metadata", "annotations", annotation)) {
    const auto size = parse_canonical_int(read_string(most).value_or(""));
    if (!size || *size < 0 || *size > most_nodes) return std::nullopt;
    return PoolSize{*size, most};
  }
  return spec.get("template") ? size_at(spec, "replicas") : std::nullopt;
}

}  // namespace

std::optional<PoolSize> largest_size(const NodePool& pool) {
  using Source = NodePool::Source;
  switch (pool.source) {
    case Source::eksctl:
      return size_at(pool.node, "maxSize");
    case Source::kops:
      return size_at(pool.node.get("spec"), "maxSize");
    case Source::config_connector:
      return config_connector_size(pool.node.get("spec"));
    case Source::terraform:
      return terraform_size(pool.node);
    case Source::cluster_api:
      return cluster_api_size(pool.node);
    case Source::service_operator:
      return size_at(pool.node,
                     read_bool(pool.node, "enableAutoScaling").equals(true) ? "maxCount" : "count");
    case Source::compute_class:
    case Source::machine_api:  // a MachineAutoscaler may allow more than `replicas`
    case Source::node:
    case Source::karpenter_node_pool:
    case Source::karpenter_provisioner:
    case Source::gpulint_config:
    case Source::kubelet:
      break;
  }
  return std::nullopt;
}

bool is_karpenter_pool(const NodePool& pool) {
  return pool.source == NodePool::Source::karpenter_node_pool ||
         pool.source == NodePool::Source::karpenter_provisioner;
}

std::vector<ResourceEntry> karpenter_limits(const NodePool& pool) {
  if (!is_karpenter_pool(pool)) return {};
  const Node limits = pool.node.at("spec", "limits");
  const bool is_provisioner = pool.source == NodePool::Source::karpenter_provisioner;
  return read_resource_list(is_provisioner ? limits.get("resources") : limits);
}

}  // namespace gpulint
