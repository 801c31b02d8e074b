#include "compiler/model/pools/pod_limit.h"

#include <string>

#include "compiler/ir/read.h"

namespace gpulint {
namespace {

using Source = NodePool::Source;

[[nodiscard]] Field<std::int64_t> limit_of_class(const NodePool& pool,
                                                 std::span<const KubernetesObject> objects) {
  Field<std::int64_t> found;
  for (const Node node_class : ec2_node_classes(pool, objects)) {
    if (!found.is_absent()) return {};
    found = read_int(node_class.at("spec", "kubelet"), "maxPods");
  }
  return found;
}

}  // namespace

std::vector<Node> ec2_node_classes(const NodePool& pool,
                                   std::span<const KubernetesObject> objects) {
  std::vector<Node> classes;
  const Field<std::string> name =
      read_string(pool.node.at("spec", "template", "spec", "nodeClassRef"), "name");
  if (!name.is_known()) return classes;
  for (const KubernetesObject& object : objects) {
    const bool is_class = object.kind.equals("EC2NodeClass");
    if (is_class && object_name(object.node) == name.value()) classes.push_back(object.node);
  }
  return classes;
}

Field<std::int64_t> read_pod_limit(const NodePool& pool,
                                   std::span<const KubernetesObject> objects) {
  if (pool.source == Source::eksctl) return read_int(pool.node, "maxPodsPerNode");
  if (pool.source == Source::service_operator) return read_int(pool.node, "maxPods");
  if (pool.source == Source::karpenter_provisioner) {
    return read_int(pool.node.at("spec", "kubeletConfiguration"), "maxPods");
  }
  if (pool.source != Source::karpenter_node_pool) return {};
  Field<std::int64_t> own =
      read_int(pool.node.at("spec", "template", "spec", "kubelet"), "maxPods");
  return own.is_absent() ? limit_of_class(pool, objects) : own;
}

}  // namespace gpulint
