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

/// A DaemonSet as findings name it. `path` and `owner` are empty if its manifest is an input.
struct Named {
  std::string who;
  std::string path;   ///< Of its tolerations in the values or in the custom resource (operands.h).
  std::string owner;  ///< `the GPU Operator chart`, `the ClusterPolicy`.
};

[[nodiscard]] Named name_of(const Workload& workload) {
  const std::string role = workload.role;
  const std::size_t colon = role.find(": ");
  if (colon == std::string::npos) return {describe(workload), {}, {}};
  const std::string owner = role.substr(0, colon);
  const bool is_of_chart = workload.origin == Workload::Origin::values;
  const bool needs_article = owner.find("'s ") == std::string::npos;
  return {fmt::format("DaemonSet `{}`", workload.name),
          fmt::format("{}{}", is_of_chart ? "" : "spec.", role.substr(colon + 2)),
          fmt::format("{}{}{}", needs_article ? "the " : "", owner, is_of_chart ? " chart" : "")};
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
  const std::string_view labels =
      label.find(' ') == std::string::npos ? "this label" : "these labels";
  const auto plain =
      std::ranges::find_if(pools, [](const NodePool& p) { return p.taints.empty(); });
  const NodePool& node = plain == pools.end() ? pools.front() : *plain;
  const Named named = name_of(workload);
  wanted.erase(wanted.begin());
  const std::string others = wanted.empty()
                                 ? std::string()
                                 : fmt::format(", or label the nodes with {}{}",
                                               wanted.size() == 1 ? "" : "one of ", list(wanted));
  const std::string_view discovery = !selection.asks_for_discovered() ? ""
                                     : wanted.empty() ? ", or install feature discovery"
                                                      : ", install feature discovery";
  const std::string consequence =
      named.owner.empty() ? std::string("no node advertises GPUs")
                          : fmt::format("the DaemonSet of {} advertises no GPUs", named.owner);
  Finding finding =
      reporter.report(place, "{} selects `{}`, but no node has {}", named.who, label, labels)
          .related(name_node(node), fmt::format("{} does not have {}", describe(node), labels))
          .help("run `kubectl label node NODE{}` for each GPU node{}{}. Otherwise {}", words,
                discovery, others, consequence)
          .severity(Severity::warning);
  if (user == nullptr) return;
  finding.related(user->object.at("metadata", "name"),
                  fmt::format("{} requests GPUs", describe(*user)));
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
        .report(keys.begin()->second,
                "label `{}` of {} is empty, but the GPU Operator selects `true`", names.front(),
                describe(pool))
        .help(
            "set the {0} {1} to `true`, or remove the {0}. Otherwise DaemonSets of the GPU "
            "Operator do not run on the node",
            names.size() == 1 ? "label" : "labels", list(names))
        .severity(Severity::warning);
  }
}

/// What happens on GPU nodes without a DaemonSet of this role.
[[nodiscard]] std::string_view loss(GpuDaemonRole role) {
  switch (role) {
    case GpuDaemonRole::device_plugin:
      return "the nodes advertise no GPUs";
    case GpuDaemonRole::dra_driver:
      return "no ResourceSlice lists the GPUs of the nodes";
    case GpuDaemonRole::driver:
      return "the GPUs of the nodes have no driver";
    case GpuDaemonRole::container_toolkit:
      return "containers on the nodes see no GPU";
    case GpuDaemonRole::mig_manager:
      return "the MIG manager does not partition the GPUs of the nodes";
    case GpuDaemonRole::vgpu_manager:
      return "the nodes have no vGPU devices";
    case GpuDaemonRole::feature_discovery:
      return "the DaemonSet adds no GPU labels to the nodes";
    case GpuDaemonRole::node_feature_discovery:
      return "the nodes get no feature labels, and GPU DaemonSets do not run there";
    case GpuDaemonRole::monitoring:
      return "the DaemonSet does not monitor the GPUs of the nodes";
    case GpuDaemonRole::network:
      return "pods on the nodes receive no network devices from the DaemonSet";
    case GpuDaemonRole::other:
      break;
  }
  return "the DaemonSet does not run on the nodes";
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

/// What happens on GPU nodes without it, such as "the nodes advertise no GPUs".
[[nodiscard]] std::string_view loss_without(const Workload& workload) {
  const std::optional<GpuDaemon> daemon = find_gpu_daemon(workload);
  return daemon ? loss(daemon->role) : "the DaemonSet does not run on the nodes";
}

[[nodiscard]] std::string toleration_help(const Workload& workload, const Named& named,
                                          const UntoleratedTaint& taint) {
  using Miss = UntoleratedTaint::Miss;
  const bool is_change = taint.miss != Miss::none;
  const std::string key = taint.near.key.value_or("");
  // The finding may show another place than the toleration, which the chart sets.
  const std::string toleration = named.path.empty() || key.empty()
                                     ? std::string("this toleration")
                                     : fmt::format("the `{}` toleration", key);
  std::string action = "tolerate the taint";
  if (taint.miss == Miss::key) {
    action = fmt::format("replace the key `{}` of the toleration with `{}`", key, taint.key);
  } else if (taint.miss == Miss::effect) {
    action = fmt::format("remove the effect of {} to tolerate every effect", toleration);
  } else if (taint.miss == Miss::value) {
    action = taint.value.empty()
                 ? fmt::format("remove the value of {}", toleration)
                 : fmt::format("set the value of {} to `{}`", toleration, taint.value);
  }
  const std::string place = named.path.empty()
                                ? std::string(is_change ? "" : " in the DaemonSet")
                                : fmt::format(" in `{}` of {}", named.path, named.owner);
  return fmt::format("{}{}. Otherwise {}", action, place, loss_without(workload));
}

void report_taint(const Corpus& corpus, const Cause& cause, const UntoleratedTaint& taint,
                  Reporter& reporter) {
  const Workload& workload = *cause.workloads.front();
  const Named named = name_of(workload);
  Finding finding = reporter.report_span(cause.where, cause.demand,
                                         "{} does not tolerate the taint `{}` of GPU nodes",
                                         named.who, taint_text(taint));
  finding.at_most(severity_of(workload))
      .related(cause.other, fmt::format("{} has this taint", describe(*cause.pool)))
      .help("{}", toleration_help(workload, named, taint));
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
  const Named named = name_of(workload);
  const std::string node = describe(*cause.pool);
  const bool is_label =
      unmatched.op == "Exists" || (unmatched.op == "In" && unmatched.wanted.size() == 1);
  Finding finding = reporter.report_span(
      cause.where, cause.demand, "{} selects `{}`, but no GPU node {}", named.who,
      requirement_text(unmatched), is_label ? "has this label" : "matches");
  finding.at_most(severity_of(workload))
      .related(cause.other,
               fmt::format("{} has {}", node,
                           unmatched.suggested_key.empty() ? "the label with another value"
                                                           : "this label instead"));
  std::string place;  // of the selector; empty for a manifest
  if (!named.owner.empty()) {
    const bool is_of_chart = workload.origin == Workload::Origin::values;
    place = fmt::format(" in {}{}", is_of_chart ? "the values of " : "", named.owner);
  }
  const std::string_view consequence = loss_without(workload);
  if (!unmatched.carried.empty()) {
    finding.help("change the selector{} to a value that nodes have: {}. Otherwise {}", place,
                 list(unmatched.carried), consequence);
  } else if (unmatched.suggested_key.empty()) {
    finding.help("add the label to the GPU nodes, or {}{}. Otherwise {}",
                 place.empty() ? "select a label that the nodes have" : "change the selector",
                 place, consequence);
    if (!cause.other)
      finding.related(
          name_node(*cause.pool),
          fmt::format("{} has GPUs, but {}", node, is_label ? "not this label" : "does not match"));
  }
  if (unmatched.suggested_key.empty()) return;
  const MeantLabel meant{unmatched.suggested_key, unmatched.suggested_value};
  finding
      .help("select the label `{}` of {}{}. Otherwise {}", meant.text(), node, place, consequence)
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
