#include "rules/daemonset-misses-gpu-nodes/plugin_selection.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/schedule/gpu_capacity.h"
#include "compiler/schedule/gpu_concern.h"
#include "compiler/schedule/gpu_daemon.h"
#include "compiler/schedule/operands.h"
#include "compiler/schedule/pool_accelerators.h"
#include "rules/support/causes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::daemonset_misses_gpu_nodes {
namespace {

/// Nothing but a label of the key, with one of the values (of any, where there are none), meets it.
struct Demand {
  std::string key;
  std::vector<std::string> values;
  Node node;
};

[[nodiscard]] bool may_meet(const NodePool& pool, const Demand& demand) {
  return std::ranges::any_of(pool.labels, [&](const PoolLabel& label) {
    if (label.key != demand.key) return false;
    const bool is_open = label.known != PoolLabel::Known::exact;
    return is_open || demand.values.empty() ||
           std::ranges::any_of(label.values, [&](const std::string& value) {
             return std::ranges::find(demand.values, value) != demand.values.end();
           });
  });
}

/// Sets of demands, one of which a node must meet as a whole; false where one cannot be read.
class Selection {
 public:
  explicit Selection(const PodSpec& pod) {
    std::vector<Demand> always;
    for (const LabelEntry& entry : pod.node_selector) {
      is_known_ = is_known_ && entry.value.is_known();
      always.push_back({entry.key.value, {entry.value.value_or("")}, entry.key.node});
    }
    is_known_ = is_known_ && !pod.node_selector_opaque && !pod.affinity_opaque;
    for (const SelectorTerm& term : pod.node_affinity.required) {
      sets_.push_back(always);
      for (const SelectorRequirement& requirement : term.expressions) add(requirement);
      is_known_ = is_known_ && term.fields.empty();
    }
    if (!pod.node_affinity.has_required) sets_.push_back(always);
  }

  [[nodiscard]] bool is_known() const { return is_known_; }
  [[nodiscard]] const Demand* first() const {
    return sets_.empty() || sets_.front().empty() ? nullptr : &sets_.front().front();
  }
  [[nodiscard]] bool takes(const NodePool& pool) const {
    return std::ranges::any_of(sets_, [&](const std::vector<Demand>& set) {
      return std::ranges::all_of(set, [&](const Demand& demand) { return may_meet(pool, demand); });
    });
  }
  [[nodiscard]] bool asks_for_discovered() const {
    return std::ranges::any_of(sets_, [](const std::vector<Demand>& set) {
      return std::ranges::any_of(set, [](const Demand& demand) {
        return demand.key.starts_with("feature.node.kubernetes.io/") ||
               demand.key.starts_with("intel.feature.node.kubernetes.io/") ||
               demand.key.starts_with("nvidia.com/") || demand.key.starts_with("amd.com/");
      });
    });
  }

 private:
  void add(const SelectorRequirement& requirement) {
    const bool is_read = requirement.key.is_known() &&
                         (requirement.op.equals("In") || requirement.op.equals("Exists"));
    is_known_ = is_known_ && is_read;
    if (!is_read) return;
    Demand demand{requirement.key.value(), {}, requirement.key.node()};
    for (const Field<std::string>& value : requirement.values) {
      is_known_ = is_known_ && value.is_known();
      demand.values.push_back(value.value_or(""));
    }
    sets_.back().push_back(std::move(demand));
  }

  std::vector<std::vector<Demand>> sets_;
  bool is_known_ = true;
};

/// A workload that asks for devices of this vendor (of any, where it is empty).
[[nodiscard]] const Workload* find_user(const Corpus& corpus, std::string_view vendor) {
  for (const Workload& workload : corpus.workloads) {
    if (workload.kind.equals("DaemonSet") || !requests_gpu(workload.pod)) continue;
    for (const Container& container : workload.pod.containers) {
      const ResourceEntry* const wanted = find_gpu_request(container);
      if (wanted != nullptr && wanted->name.value.starts_with(vendor)) return &workload;
    }
  }
  return nullptr;
}

[[nodiscard]] bool discovers(const Workload& workload) {
  const auto daemon = find_gpu_daemon(workload);
  return daemon && (daemon->role == GpuDaemonRole::feature_discovery ||
                    daemon->role == GpuDaemonRole::node_feature_discovery);
}

/// Whether a chart with these values brings rules that label nodes (intel/helm-charts,
/// charts/gpu-device-plugin/templates/nodefeaturerule.yaml).
[[nodiscard]] bool brings_rules(const ChartUse& use) {
  const Node rule = use.values.get("nodeFeatureRule");
  return rule && rule.text() != "false";
}

[[nodiscard]] bool has_discovery(const Corpus& corpus) {
  return std::ranges::any_of(corpus.workloads, discovers) ||
         std::ranges::any_of(corpus.chart_uses, brings_rules) ||
         std::ranges::any_of(corpus.objects, [](const KubernetesObject& object) {
           return object.kind.equals("NodeFeatureRule") ||
                  object.kind.equals("NodeFeatureDiscovery");
         });
}

/// Whether all nodes are given one by one, and none looks like a GPU node.
[[nodiscard]] bool are_plain_nodes(const Cluster& cluster) {
  return are_nodes_fixed(cluster) && std::ranges::all_of(cluster.pools, [](const NodePool& pool) {
           return pool.source == NodePool::Source::node && !pool.labels.empty() &&
                  has_accelerators(pool) != Ternary::yes;
         });
}

void check_plugin(const Corpus& corpus, const Workload& workload, Reporter& reporter) {
  const auto daemon = find_gpu_daemon(workload);
  if (!daemon || daemon->role != GpuDaemonRole::device_plugin) return;
  const Selection selection(workload.pod);
  const Demand* const first = selection.first();
  if (!selection.is_known() || first == nullptr) return;
  if (selection.asks_for_discovered() && has_discovery(corpus)) return;
  const std::vector<NodePool>& pools = corpus.cluster.pools;
  if (std::ranges::any_of(pools, [&](const NodePool& pool) { return selection.takes(pool); }))
    return;
  // Who names a label of their own has nodes of it, whether anything asks for GPUs yet or not.
  const Workload* const user = find_user(corpus, daemon->vendor);
  const bool is_of_chart = workload.origin == Workload::Origin::values;
  if (user == nullptr && selection.asks_for_discovered() && !is_of_chart) return;
  const std::string wanted =
      first->values.empty() ? first->key : fmt::format("{}={}", first->key, first->values.front());
  Finding finding =
      reporter
          .report(first->node, "no given node meets what {} selects (`{}`): no GPU is advertised",
                  describe(workload), wanted)
          .related(name_node(pools.front()), "a node without the label")
          .help(
              "label the GPU nodes (`kubectl label node NODE {}`), or install what discovers them",
              wanted)
          .severity(Severity::warning);
  if (user == nullptr) return;
  finding.related(user->object.at("metadata", "name"), "a workload that waits for GPUs");
}

}  // namespace

void check_plugins_without_nodes(const Corpus& corpus, Reporter& reporter) {
  if (!are_plain_nodes(corpus.cluster)) return;
  for (const Workload& workload : corpus.workloads) {
    if (workload.origin == Workload::Origin::manifest) check_plugin(corpus, workload, reporter);
  }
  for (const Workload& operand : find_operands(corpus)) {
    if (operand.origin == Workload::Origin::values) check_plugin(corpus, operand, reporter);
  }
}

}  // namespace gpulint::rules::daemonset_misses_gpu_nodes
