#include "compiler/schedule/pod_anti_affinity.h"

#include <algorithm>
#include <string>
#include <vector>

#include "compiler/ir/read.h"

namespace gpulint {
namespace {

[[nodiscard]] bool has_label(const Workload& workload, Node key, const Field<std::string>& value) {
  return std::ranges::any_of(workload.labels, [&](const LabelEntry& label) {
    return label.key.value == key.text() && value.is_known() && label.value.equals(value.value());
  });
}

/// Whether the selector certainly matches the pods' own labels.
[[nodiscard]] bool matches_itself(const Workload& workload, Node selector) {
  const Node labels = selector.get("matchLabels");
  const std::vector<Node::Entry> wanted = labels.fields();
  const Node expressions = selector.get("matchExpressions");
  const bool has_labels = std::ranges::all_of(wanted, [&](const Node::Entry& entry) {
    return has_label(workload, entry.key, read_string(entry.value));
  });
  const bool has_expressions = std::ranges::all_of(expressions.items(), [&](Node expression) {
    return expression.get("operator").text() == "In" &&
           std::ranges::any_of(expression.get("values").items(), [&](Node value) {
             return has_label(workload, expression.get("key"), read_string(value));
           });
  });
  return (!wanted.empty() || expressions.size() > 0) && has_labels && has_expressions;
}

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
  const Node terms = workload.pod.node.at("affinity", "podAntiAffinity",
                                          "requiredDuringSchedulingIgnoredDuringExecution");
  for (const Node term : terms.items()) {
    const Node topology = term.get("topologyKey");
    const bool is_elsewhere = term.get("namespaces") || term.get("namespaceSelector") ||
                              term.get("matchLabelKeys") || term.get("mismatchLabelKeys");
    if (topology.text() != "kubernetes.io/hostname" || is_elsewhere) continue;
    if (matches_itself(workload, term.get("labelSelector"))) return topology;
  }
  return own_port(workload);
}

std::optional<std::int64_t> count_nodes_for(const KnownNodes& nodes, const PreparedPod& pod) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes.fits(pod, i) == Ternary::no) continue;
    for (const NodePool* pool : nodes.members(i)) {
      if (pool->source != NodePool::Source::node) return std::nullopt;
      ++count;
    }
  }
  return count == 0 ? std::nullopt : std::optional(count);
}

}  // namespace gpulint
