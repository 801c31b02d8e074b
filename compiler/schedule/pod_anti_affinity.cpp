#include "compiler/schedule/pod_anti_affinity.h"

#include "compiler/ir/read.h"
#include "compiler/schedule/label_selector.h"
#include "compiler/schedule/pod_relations.h"

namespace gpulint {
namespace {

[[nodiscard]] Node own_port(const Workload& workload) {
  for (const Container& container : workload.pod.containers) {
    for (const Node port : container.node.get("ports").items()) {
      const Field<std::int64_t> on_host = read_int(port, "hostPort");
      if (on_host.is_known() && on_host.value() > 0) return on_host.node();
    }
  }
  return {};
}

}  // namespace

Node keeps_apart(const Workload& workload) {
  for (const Node term : pod_anti_affinity_terms(workload.pod)) {
    const Node topology = term.get("topologyKey");
    if (topology.text() != "kubernetes.io/hostname" || !is_plain_term(term)) continue;
    const LabelSelector selector(term.get("labelSelector"));
    if (selector.matches(workload.labels) == Ternary::yes) return topology;
  }
  return own_port(workload);
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
