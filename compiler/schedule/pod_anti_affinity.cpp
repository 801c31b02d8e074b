#include "compiler/schedule/pod_anti_affinity.h"

#include <vector>

#include "compiler/schedule/host_ports.h"
#include "compiler/schedule/label_selector.h"
#include "compiler/schedule/pod_relations.h"

namespace gpulint {
Node keeps_apart(const Workload& workload) {
  for (const Node term : pod_anti_affinity_terms(workload.pod)) {
    const Node topology = term.get("topologyKey");
    if (topology.text() != "kubernetes.io/hostname" || !is_plain_term(term)) continue;
    const LabelSelector selector(term.get("labelSelector"));
    if (selector.matches(workload.labels) == Ternary::yes) return topology;
  }
  const std::vector<HostPort> ports = host_ports(workload.pod);
  return ports.empty() ? Node{} : ports.front().cause();
}

std::optional<std::int64_t> count_nodes_for(const KnownNodes& nodes, const PreparedPod& pod) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes.fits(pod, i) == Ternary::no) continue;
    for (const NodePool* pool : nodes.members(i)) {
      if (pool->source != NodePool::Source::node) return std::nullopt;
      count += pool->equal_nodes;
    }
  }
  return count == 0 ? std::nullopt : std::optional(count);
}

}  // namespace gpulint
