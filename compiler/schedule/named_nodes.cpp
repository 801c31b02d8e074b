#include "compiler/schedule/named_nodes.h"

namespace gpulint {

NamedNodes::NamedNodes(const Cluster& cluster) {
  for (const NodePool& pool : cluster.pools) {
    if (pool.source == NodePool::Source::node) nodes_.emplace(pool.name, &pool);
  }
}

const NodePool* NamedNodes::find(const PodSpec& pod) const {
  if (!pod.node_name.is_known() || pod.node_name.value().empty()) return nullptr;
  const auto found = nodes_.find(pod.node_name.value());
  return found == nodes_.end() ? nullptr : found->second;
}

bool NamedNodes::is_elsewhere(const PodSpec& pod) const {
  const bool is_bound = pod.node_name.is_opaque() || !pod.node_name.value_or("").empty();
  return is_bound && find(pod) == nullptr;
}

}  // namespace gpulint
