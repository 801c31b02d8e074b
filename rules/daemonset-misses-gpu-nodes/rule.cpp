#include "compiler/engine/rule.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/shell_word.h"
#include "compiler/base/text.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/gpu_capacity.h"
#include "compiler/schedule/gpu_daemon.h"
#include "compiler/schedule/gpu_relation.h"
#include "compiler/schedule/operands.h"
#include "compiler/schedule/pool_accelerators.h"
#include "rules/support/placement_causes.h"
#include "rules/support/pod_edits.h"
#include "rules/support/queries.h"

namespace gpulint::rules::daemonset_misses_gpu_nodes {
namespace {

/// A required label: the key with one of the values, or with any value if there are none.
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

/// Sets of demands; a node must meet all demands of one set. Sets that a person can label nodes for
/// come first. Unknown if a demand cannot be read.
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
    std::ranges::stable_partition(sets_, [](const std::vector<Demand>& set) {
      return std::ranges::none_of(set, [](const Demand& demand) { return is_feature(demand.key); });
    });
  }

  [[nodiscard]] bool is_known() const { return is_known_; }
  [[nodiscard]] const Demand* first() const {
    return sets_.empty() || sets_.front().empty() ? nullptr : &sets_.front().front();
  }
  /// Each set as the labels of a node that matches: `a=1 b=2`.
  [[nodiscard]] std::vector<std::string> alternatives() const {
    std::vector<std::string> texts;
    for (const std::vector<Demand>& set : sets_) {
      std::vector<std::string> labels;
      for (const auto& [key, values, node] : set) {
        labels.push_back(values.empty() ? key : fmt::format("{}={}", key, values.front()));
      }
      texts.push_back(fmt::format("{}", fmt::join(labels, " ")));
    }
    return texts;
  }
  [[nodiscard]] bool takes(const NodePool& pool) const {
    return std::ranges::any_of(sets_, [&](const std::vector<Demand>& set) {
      return std::ranges::all_of(set, [&](const Demand& demand) { return may_meet(pool, demand); });
    });
  }
  [[nodiscard]] bool asks_for_discovered() const {
    return std::ranges::any_of(sets_, [](const std::vector<Demand>& set) {
      return std::ranges::any_of(set, [](const Demand& demand) {
        return is_feature(demand.key) || demand.key.starts_with("nvidia.com/") ||
               demand.key.starts_with("amd.com/");
      });
    });
  }

 private:
  [[nodiscard]] static bool is_feature(std::string_view key) {
    return key.starts_with("feature.node.kubernetes.io/") ||
           key.starts_with("intel.feature.node.kubernetes.io/");
  }

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

/// A workload that requests devices of this vendor, or of any vendor if it is empty.
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

/// Whether a chart with these values installs rules that label nodes (intel/helm-charts,
/// charts/gpu-device-plugin/templates/nodefeaturerule.yaml).
[[nodiscard]] bool brings_rules(const ChartUse& use) {
  const Node rule = use.values.get("nodeFeatureRule");
  return rule && rule.text() != "false";
}

[[nodiscard]] bool has_discovery(const Corpus& corpus, const std::deque<Workload>& operands) {
  return std::ranges::any_of(corpus.workloads, discovers) ||
         std::ranges::any_of(operands, discovers) ||
         std::ranges::any_of(corpus.chart_uses, brings_rules) ||
         std::ranges::any_of(corpus.objects, [](const KubernetesObject& object) {
           return object.kind.equals("NodeFeatureRule") ||
                  object.kind.equals("NodeFeatureDiscovery");
         });
}

/// Whether all nodes are Node objects, and none looks like a GPU node.
[[nodiscard]] bool are_plain_nodes(const Corpus& corpus) {
  return are_nodes_fixed(corpus) &&
         std::ranges::all_of(corpus.cluster.pools, [](const NodePool& pool) {
           return pool.source == NodePool::Source::node && !pool.labels.empty() &&
                  has_accelerators(pool) != Ternary::yes;
         });
}

void check_plugin(const Corpus& corpus, const std::deque<Workload>& operands,
                  const Workload& workload, Reporter& reporter) {
  const auto daemon = find_gpu_daemon(workload);
  if (!daemon || daemon->role != GpuDaemonRole::device_plugin) return;
  const Selection selection(workload.pod);
  const Demand* const first = selection.first();
  if (!selection.is_known() || first == nullptr) return;
  if (selection.asks_for_discovered() && has_discovery(corpus, operands)) return;
  const std::vector<NodePool>& pools = corpus.cluster.pools;
  if (std::ranges::any_of(pools, [&](const NodePool& pool) { return selection.takes(pool); }))
    return;
  // A custom label exists on some nodes, even if no workload requests GPUs yet.
  const Workload* const user = find_user(corpus, daemon->vendor);
  const bool is_of_chart = workload.origin == Workload::Origin::values;
  const Node place = first->node ? first->node : workload.template_node;
  if (user == nullptr && selection.asks_for_discovered() && !is_of_chart) return;
  std::vector<std::string> wanted = selection.alternatives();
  const std::string label = wanted.front();
  std::string words;  // of the command
  for (const std::string_view word : split(label, ' ')) words += " " + shell_word(word);
  const auto plain =
      std::ranges::find_if(pools, [](const NodePool& p) { return p.taints.empty(); });
  Finding finding =
      reporter
          .report(place, "{} selects `{}`, but no node matches, so no node advertises GPUs",
                  describe_operand(workload), label)
          .related(name_node(plain == pools.end() ? pools.front() : *plain),
                   "this node does not have the label")
          .help("label the GPU nodes (`kubectl label node NODE{}`){}", words,
                selection.asks_for_discovered() ? ", or install feature discovery" : "")
          .severity(Severity::warning);
  wanted.erase(wanted.begin());
  if (!wanted.empty())
    finding.add_help(fmt::format("a node also matches the selector if it has {}{}",
                                 wanted.size() == 1 ? "" : "one of the labels ", list(wanted)));
  if (user == nullptr) return;
  finding.related(user->object.at("metadata", "name"), "this workload waits for GPUs");
}

/// Device plugins whose selector no Node matches, if no input shows which Nodes have GPUs and a
/// workload waits for them. Labels that feature discovery may add are ignored.
void check_plugins_without_nodes(const Corpus& corpus, Reporter& reporter) {
  if (!are_plain_nodes(corpus)) return;
  const std::deque<Workload> operands = find_operands(corpus);
  for (const Workload& workload : corpus.workloads) {
    if (workload.origin != Workload::Origin::manifest) continue;
    check_plugin(corpus, operands, workload, reporter);
  }
  for (const Workload& operand : operands) check_plugin(corpus, operands, operand, reporter);
}

/// Labels of the GPU Operator without a value. Its DaemonSets select `true`, and it keeps the value
/// of a label that exists (NVIDIA/gpu-operator 04751ec7ac14, controllers/state_manager.go,
/// addGPUStateLabels). Only `gpu.deploy.operands` is not selected.
void check_empty_labels(const Corpus& corpus, Reporter& reporter) {
  for (const NodePool& pool : corpus.cluster.pools) {
    std::map<std::string, Node> keys;
    for (const PoolLabel& label : pool.labels) {
      const bool is_empty = label.known == PoolLabel::Known::exact && label.values.front().empty();
      if (!is_empty || !label.key.starts_with("nvidia.com/gpu.deploy.") ||
          label.key.ends_with(".operands"))
        continue;
      keys.emplace(label.key, value_node(label));
    }
    if (keys.empty()) continue;
    std::vector<std::string> names;
    for (const auto& [key, value] : keys) names.push_back(key);
    reporter
        .report(
            keys.begin()->second,
            "label `{}` of {} is empty, but the GPU Operator's DaemonSets select the value `true`",
            names.front(), describe(pool))
        .help(
            "set {} to `true`, or remove {}; the GPU Operator adds missing labels, but does not "
            "change existing ones",
            list(names), names.size() == 1 ? "the label" : "the labels")
        .severity(Severity::warning);
  }
}

/// A DaemonSet, and the path of its tolerations in its values or custom resource (operands.h). The
/// path is empty if its manifest is among the inputs.
struct Named {
  std::string who;
  std::string path;
};

/// What GPU nodes lack without a DaemonSet of this role.
[[nodiscard]] std::string_view loss(GpuDaemonRole role) {
  switch (role) {
    case GpuDaemonRole::device_plugin:
      return "the nodes' GPUs are never advertised";
    case GpuDaemonRole::dra_driver:
      return "the nodes' GPUs are in no ResourceSlice";
    case GpuDaemonRole::driver:
      return "the nodes' GPUs have no driver";
    case GpuDaemonRole::container_toolkit:
      return "containers on the nodes see no GPU";
    case GpuDaemonRole::mig_manager:
      return "the nodes' GPUs are never partitioned";
    case GpuDaemonRole::vgpu_manager:
      return "the nodes' vGPU devices are never created";
    case GpuDaemonRole::feature_discovery:
      return "the nodes lack GPU labels";
    case GpuDaemonRole::node_feature_discovery:
      return "nodes lack labels that DaemonSets select";
    case GpuDaemonRole::monitoring:
      return "the nodes' GPUs are not monitored";
    case GpuDaemonRole::network:
      return "pods on GPU nodes receive no network devices from this DaemonSet";
    case GpuDaemonRole::other:
      break;
  }
  return "its pods do not run on the nodes";
}

/// A warning if it is unknown whether a workload needs the DaemonSet, or whether other values
/// override the chart's.
[[nodiscard]] Severity severity_of(const Workload& workload) {
  const std::optional<GpuDaemon> daemon = find_gpu_daemon(workload);
  const bool is_of_chart = workload.origin == Workload::Origin::values;
  const bool is_open = daemon && (daemon->role == GpuDaemonRole::network ||
                                  daemon->role == GpuDaemonRole::node_feature_discovery);
  return is_open || is_of_chart ? Severity::warning : Severity::error;
}

/// What GPU nodes lack without it, such as "the nodes' GPUs are never advertised".
[[nodiscard]] std::string_view loss_without(const Workload& workload) {
  const std::optional<GpuDaemon> daemon = find_gpu_daemon(workload);
  return daemon ? loss(daemon->role) : "its pods do not run on the nodes";
}

[[nodiscard]] Named name_of(const Workload& workload) {
  const std::size_t colon = workload.role.find(": ");
  if (colon == std::string::npos) return {describe(workload), {}};
  return {describe_operand(workload), workload.role.substr(colon + 2)};
}

/// `path`: see Named.
[[nodiscard]] std::string toleration_help(const Workload& workload, const std::string& path) {
  if (path.empty()) {
    return "add a toleration for this taint; a DaemonSet runs only on nodes whose taints it "
           "tolerates";
  }
  if (workload.origin == Workload::Origin::values) {
    return fmt::format(
        "in `{}`, add a toleration for this taint; the chart creates the DaemonSet from these "
        "values",
        path);
  }
  return fmt::format(
      "in `spec.{}`, add a toleration for this taint; the operator creates the DaemonSet from this "
      "object",
      path);
}

void report_taint(const Corpus& corpus, const Cause& cause, const UntoleratedTaint& taint,
                  Reporter& reporter) {
  const Workload& workload = *cause.workloads.front();
  const Named named = name_of(workload);
  Finding finding = reporter.report_span(
      cause.where, cause.demand, "{1} does not tolerate the taint `{0}` of GPU nodes, so {2}",
      taint_text(taint), named.who, loss_without(workload));
  finding.at_most(severity_of(workload))
      .related(cause.other, fmt::format("the taint of {}", describe(*cause.pool)))
      .help("{}", toleration_help(workload, named.path));
  if (taint.miss == UntoleratedTaint::Miss::value) {
    finding.fix(Safety::unsafe, fmt::format("tolerate the value `{}`", taint.value),
                correct_value(*corpus.sources, taint.near, taint.value));
  }
  if (taint.miss != UntoleratedTaint::Miss::none) return;
  finding.fix(
      Safety::unsafe, fmt::format("tolerate `{}`", taint_text(taint)),
      add_tolerations(*corpus.sources, workload.pod, {{taint.key, taint.value, taint.effect}}));
}

void report_selection(const Corpus& corpus, const Cause& cause,
                      const UnmatchedRequirement& unmatched, Reporter& reporter) {
  const Workload& workload = *cause.workloads.front();
  Finding finding = reporter.report_span(
      cause.where, cause.demand, "{} selects `{}`, but no GPU node matches, so {}",
      name_of(workload).who, requirement_text(unmatched), loss_without(workload));
  finding.at_most(severity_of(workload))
      .related(cause.other, fmt::format("the label of {}", describe(*cause.pool)));
  if (!unmatched.carried.empty()) {
    finding.help("use a value that nodes have: {}", list(unmatched.carried));
  } else if (unmatched.suggested_key.empty()) {
    finding.help("add the label to the GPU nodes, or select them by a label that they have");
    if (!cause.other)
      finding.related(name_node(*cause.pool), "this GPU node does not have the label");
  }
  if (unmatched.suggested_key.empty()) return;
  const MeantLabel meant{unmatched.suggested_key, unmatched.suggested_value};
  finding.help("use `{1}`, which {0} has", describe(*cause.pool), meant.text())
      .fix(Safety::unsafe, fmt::format("require `{}`", meant.text()),
           correct_labels(*corpus.sources, cause, meant));
}

void check(const Corpus& corpus, Reporter& reporter) {
  if (corpus.placement == nullptr) return;
  check_plugins_without_nodes(corpus, reporter);
  check_empty_labels(corpus, reporter);
  for (const Cause& cause : corpus.placement->daemon_gaps) {
    if (const auto* taint = std::get_if<UntoleratedTaint>(&cause.what)) {
      report_taint(corpus, cause, *taint, reporter);
    } else if (const auto* unmatched = std::get_if<UnmatchedRequirement>(&cause.what)) {
      report_selection(corpus, cause, *unmatched, reporter);
    }
  }
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "placement", .fix = FixAvailability::unsafe, .proof = FixProof::placement},
    .check = check};

}  // namespace gpulint::rules::daemonset_misses_gpu_nodes
