#include "rules/gpu-demand-exceeds-nodes/spread.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "compiler/ir/read.h"
#include "rules/support/causes.h"

namespace gpulint::rules::gpu_demand_exceeds_nodes {
namespace {

[[nodiscard]] bool has_label(const Workload& workload, Node key, const Field<std::string>& value) {
  return std::ranges::any_of(workload.labels, [&](const LabelEntry& label) {
    return label.key.value == key.text() && value.is_known() && label.value.equals(value.value());
  });
}

/// Whether the selector surely matches the pods themselves.
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

/// What lets one node take no two pods of the share: a required pod anti-affinity by hostname
/// against the pods' own labels, or a port of the host. Nothing where neither is certain.
[[nodiscard]] Node apart_by(const Share& share) {
  const Workload& workload = *share.workload;
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

/// How many nodes may take a pod of the share; nothing where they are not given one by one.
[[nodiscard]] std::optional<std::int64_t> nodes_for(const KnownNodes& nodes, const Share& share) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes.fits(*share.pod, i) == Ternary::no) continue;
    for (const NodePool* pool : nodes.members(i)) {
      if (pool->source != NodePool::Source::node) return std::nullopt;
      ++count;
    }
  }
  return count == 0 ? std::nullopt : std::optional(count);
}

}  // namespace

bool check_apart(const KnownNodes& nodes, const Share& share, Reporter& reporter) {
  const Node apart = apart_by(share);
  const auto count = apart && share.pods > 1 ? nodes_for(nodes, share) : std::nullopt;
  if (!count || share.pods <= *count) return false;
  Finding finding =
      reporter.report(apart, "{} pods of {} want a node each, and {} {} `{}`", share.pods,
                      describe(*share.workload), *count,
                      *count == 1 ? "node alone may take them with" : "nodes may take them with",
                      share.demand.resource);
  if (const Node replicas = count_node(share)) {
    finding.related(replicas, fmt::format("{} pods", share.pods));
  }
  finding.related(share.demand.node, "what each of them wants")
      .help("the others stay Pending: start fewer, add nodes, or let two pods share a node");
  return true;
}

}  // namespace gpulint::rules::gpu_demand_exceeds_nodes
