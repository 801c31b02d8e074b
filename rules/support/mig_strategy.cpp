#include "rules/support/mig_strategy.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/kinds/operator_keys.h"
#include "rules/support/gpu_operator.h"
#include "rules/support/partitions.h"
#include "rules/support/queries.h"

namespace gpulint::rules {
namespace {

constexpr std::string_view strategy_label = "nvidia.com/mig.strategy";
constexpr std::string_view gke_own_plugin_label = "gke-no-default-nvidia-gpu-device-plugin";

[[nodiscard]] bool is_mig(std::string_view name) {
  const GpuResource::Kind kind = classify_resource(name).kind;
  return kind == GpuResource::Kind::mig || kind == GpuResource::Kind::unknown_mig;
}

[[nodiscard]] std::optional<MigStrategy> make_strategy(std::string_view name, Node where) {
  using Kind = MigStrategy::Kind;
  const auto of = [&](Kind kind) {
    return MigStrategy{kind, fmt::format("MIG strategy `{}`", name), where};
  };
  if (name == "none") return of(Kind::none);
  if (name == "single") return of(Kind::single);
  if (name == "mixed") return of(Kind::mixed);
  return std::nullopt;
}

/// The strategy that the pod's own node selector and affinity (of one term) require.
[[nodiscard]] std::optional<MigStrategy> selected_strategy(const PodSpec& pod) {
  const auto judge = [](std::string_view key,
                        const Field<std::string>& value) -> std::optional<MigStrategy> {
    if (!value.is_known()) return std::nullopt;
    if (key == strategy_label) return make_strategy(value.value(), value.node());
    if (key != gke_partition_label) return std::nullopt;
    return MigStrategy{MigStrategy::Kind::gke, "GKE", value.node()};
  };
  for (const LabelEntry& entry : pod.node_selector) {
    if (auto strategy = judge(entry.key.value, entry.value)) return strategy;
  }
  if (pod.node_affinity.required.size() != 1) return std::nullopt;
  for (const SelectorRequirement& requirement : pod.node_affinity.required.front().expressions) {
    const bool is_one = requirement.op.equals("In") && requirement.values.size() == 1;
    if (!is_one || !requirement.key.is_known()) continue;
    if (auto strategy = judge(requirement.key.value(), requirement.values.front())) return strategy;
  }
  return std::nullopt;
}

[[nodiscard]] bool names_partition(const NodePool& pool) {
  return std::ranges::any_of(pool.allocatable,
                             [](const ResourceEntry& entry) { return is_mig(entry.name.value); });
}

/// Whether something shows that NVIDIA's own plugin or operator runs, which GKE allows.
[[nodiscard]] bool has_own_plugin(const Corpus& corpus) {
  const auto is_marked = [](const PoolLabel& label) { return label.key == gke_own_plugin_label; };
  for (const NodePool& pool : corpus.cluster.pools) {
    if (names_partition(pool) || std::ranges::any_of(pool.labels, is_marked)) return true;
  }
  for (const Workload& workload : corpus.workloads) {
    if (!is_node_agent(workload)) continue;
    for (const Container& container : workload.pod.containers) {
      const std::string image = container.image.value_or("");
      if (image.find("nvidia/k8s-device-plugin") != std::string::npos) return true;
    }
  }
  const auto is_operator = [](const KubernetesObject& object) {
    return object.kind.equals("ClusterPolicy");
  };
  return !corpus.mig_configs.empty() || std::ranges::any_of(corpus.objects, is_operator);
}

/// The strategy of all nodes that show one; nullopt if they differ.
[[nodiscard]] std::optional<MigStrategy> strategy_of_nodes(const Corpus& corpus) {
  std::optional<MigStrategy> found;
  for (const NodePool& pool : corpus.cluster.pools) {
    if (names_partition(pool)) return std::nullopt;
    auto strategy = strategy_of(pool);
    if (!strategy) continue;
    if (found && found->kind != strategy->kind) return std::nullopt;
    if (!found) found = std::move(strategy);
  }
  return found;
}

/// Where the strategy of NVIDIA's operator or plugin is set: ClusterPolicy, values of their charts.
[[nodiscard]] std::vector<Node> find_declarations(const Corpus& corpus) {
  std::vector<Node> found;
  for (const OperatorSettings& one : gpu_operator_settings(corpus)) {
    found.push_back(one.settings.at("mig", "strategy"));
  }
  for (const ChartUse& use : corpus.chart_uses) {
    if (use.keys->name == "NVIDIA's device plugin") found.push_back(use.values.get("migStrategy"));
  }
  return found;
}

/// nullopt if there are several declarations, or if the only one sets no strategy.
[[nodiscard]] std::optional<MigStrategy> only_declared_strategy(const Corpus& corpus) {
  const std::vector<Node> found = find_declarations(corpus);
  const bool is_one = found.size() == 1 && found.front().is_scalar() && !found.front().is_opaque();
  return is_one ? make_strategy(found.front().text(), found.front()) : std::nullopt;
}

/// The strategy of every workload that does not select another one.
[[nodiscard]] std::optional<MigStrategy> shared_strategy(const Corpus& corpus) {
  if (!corpus.settings->mig_strategy.empty()) {
    return make_strategy(corpus.settings->mig_strategy, {});
  }
  if (auto strategy = strategy_of_nodes(corpus)) return strategy;
  if (auto strategy = only_declared_strategy(corpus)) return strategy;
  if (corpus.cluster.provider != Provider::gke || has_own_plugin(corpus)) return std::nullopt;
  return MigStrategy{MigStrategy::Kind::gke, "GKE", corpus.cluster.provider_node};
}

}  // namespace

std::optional<MigStrategy> strategy_of_operator(const Corpus& corpus) {
  std::optional<MigStrategy> found;
  bool is_open = false;
  for (const OperatorSettings& one : gpu_operator_settings(corpus)) {
    const Node at = one.settings.at("mig", "strategy");
    if (!at) continue;
    const auto strategy = make_strategy(at.text(), at);
    is_open = is_open || !strategy || (found && found->kind != strategy->kind);
    if (!found) found = strategy;
  }
  return is_open ? std::nullopt : found;
}

std::optional<MigStrategy> strategy_of(const NodePool& pool) {
  for (const PoolLabel& label : pool.labels) {
    if (label.key == strategy_label && label.has_one_value()) {
      return make_strategy(label.values.front(), label.node);
    }
  }
  return std::nullopt;
}

MigStrategies::MigStrategies(const Corpus& corpus) : shared_(shared_strategy(corpus)) {
  for (const NodePool& pool : corpus.cluster.pools) {
    if (const auto strategy = strategy_of(pool)) told_.insert(strategy->kind);
  }
}

std::optional<MigStrategy> MigStrategies::of(const Workload& workload) const {
  const auto selected = selected_strategy(workload.pod);
  if (!selected) return shared_;
  // Nodes have other strategies only: the selector is wrong (unmatched-node-selector).
  const bool is_contradicted =
      !told_.empty() && !told_.contains(selected->kind) && selected->kind != MigStrategy::Kind::gke;
  return is_contradicted ? std::nullopt : selected;
}

bool MigStrategies::explains(const Cause& cause) const {
  const auto* const missing = std::get_if<MissingResource>(&cause.what);
  if (missing == nullptr) return false;
  const bool some_are_mig = std::ranges::any_of(missing->offered, is_mig);
  if (missing->name == "nvidia.com/gpu") return some_are_mig;
  if (!is_mig(missing->name) || some_are_mig) return false;
  const auto strategy = of(*cause.workloads.front());
  return strategy && !strategy->names_partitions();
}

}  // namespace gpulint::rules
