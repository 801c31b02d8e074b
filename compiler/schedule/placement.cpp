#include "compiler/schedule/placement.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/facts/provider_catalog.h"
#include "compiler/schedule/gpu_daemon.h"
#include "compiler/schedule/karpenter_machine_fit.h"
#include "compiler/schedule/mark_unknowns.h"
#include "compiler/schedule/named_nodes.h"
#include "compiler/schedule/pod_claims.h"
#include "compiler/schedule/pool_accelerators.h"
#include "compiler/schedule/tolerate.h"

namespace gpulint {
namespace {

constexpr std::string_view admission_plugin = "ExtendedResourceToleration";

/// What the workloads require of a node: labels and resources.
struct Interests {
  std::set<std::string_view> labels;
  std::set<std::string_view> resources{"pods"};
  bool names = false;
};

void add_interests(const PreparedPod& pod, Interests& interests) {
  for (const LabelEntry& entry : pod.spec->node_selector) interests.labels.insert(entry.key.value);
  for (const NodeTerm& term : pod.selection.terms) {
    for (const NodeRequirement& requirement : term.labels) interests.labels.insert(requirement.key);
    interests.names = interests.names || !term.fields.empty();
  }
  for (const PodRequest& request : pod.requests.resources) {
    interests.resources.insert(request.name);
  }
}

/// Nodes with equal keys are equal for all workloads.
[[nodiscard]] std::string class_key(const PreparedNode& node, std::size_t index,
                                    const Interests& interests) {
  const NodePool& pool = *node.pool;
  const bool is_own_class = pool.karpenter != nullptr || pool.source == NodePool::Source::kubelet;
  std::string key =
      fmt::format("{}{}{}{}{}{}{}{}", pool.labels_complete, pool.own_labels_complete,
                  pool.taints_complete, pool.resources_complete, pool.unschedulable,
                  node.name.is_open, !pool.error.empty(), !pool.kubelet_error.empty());
  if (is_own_class) append_part(key, std::to_string(index));
  if (interests.names) append_part(key, node.name.text);
  for (const std::string_view label : interests.labels) {
    const PoolLabel* const known = node.labels.find(label);
    if (known == nullptr) continue;
    append_part(key, fmt::format("{}:{}", label, static_cast<int>(known->known)));
    for (const std::string& value : known->values) append_part(key, value);
  }
  for (const auto* const taints : {&pool.taints, &pool.provider_taints}) {
    append_part(key, "taints");
    for (const Taint& taint : *taints) {
      const bool is_open =
          taint.key.is_opaque() || taint.value.is_opaque() || taint.effect.is_opaque();
      append_part(key, fmt::format("{}{}", is_open, to_string(taint)));
    }
  }
  for (const std::string_view resource : interests.resources) {
    const NodeResource* const offer = node.find_resource(resource);
    if (offer == nullptr) continue;
    append_part(key, fmt::format("{}={}{}", resource, offer->amount, offer->is_open));
  }
  return key;
}

[[nodiscard]] bool selects(const PodSpec& pod, std::string_view key) {
  return std::ranges::any_of(pod.node_selector,
                             [&](const LabelEntry& entry) { return entry.key.value == key; });
}

/// Karpenter's reason as one of the scheduler's kinds.
[[nodiscard]] Reason reason_of(std::string_view text, const PodSpec& pod,
                               const KarpenterPool& pool) {
  const std::size_t colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  const std::string_view detail =
      colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1);
  Reason reason;
  reason.pool_node = pool.object;
  reason.workload_node = pod.tolerations_node;
  if (kind == "untolerated-taint") {
    reason.kind = ReasonKind::untolerated_taint;
    reason.detail = detail;
    for (const Taint& taint : pool.taints) {
      if (to_string(taint) == detail) reason.pool_node = taint.node;
    }
    return reason;
  }
  reason.detail = text;
  if (kind == "nodepool-invalid") return reason;
  const bool is_selector = selects(pod, detail);
  reason.kind = is_selector ? ReasonKind::node_selector : ReasonKind::node_affinity;
  reason.workload_node = is_selector ? pod.node_selector_node : pod.node_affinity.node;
  return reason;
}

/// The accelerator that a pod requests; null if none.
[[nodiscard]] const PodRequest* find_accelerator(const PreparedPod& pod) {
  const auto found = std::ranges::find_if(pod.requests.resources, [](const PodRequest& request) {
    return request.amount > 0 && is_gpu_resource(request.name);
  });
  return found == pod.requests.resources.end() ? nullptr : &*found;
}

[[nodiscard]] Assessment assess_karpenter(const PreparedPod& pod, const NodeClass& nodes) {
  const KarpenterPool& pool = *nodes.karpenter;
  const KarpenterVerdict verdict = check_karpenter(*pod.spec, pod.tolerations, pool);
  Assessment assessment;
  // At best unknown: instance types are not checked here.
  assessment.fits = all_of(verdict.provisionable(), Ternary::unknown);
  for (const std::string& text : verdict.reasons) {
    assessment.reasons.push_back(reason_of(text, *pod.spec, pool));
  }
  for (const std::string& text : verdict.pod_refused) {
    assessment.reasons.push_back(reason_of(text, *pod.spec, pool));
  }
  if (pool.knows_machines) check_machines(pod, nodes.node, pool, assessment);
  const PodRequest* const missing = nodes.lacks_accelerators ? find_accelerator(pod) : nullptr;
  const bool is_said =
      missing != nullptr && std::ranges::any_of(assessment.reasons, [&](const Reason& reason) {
        return reason.detail == missing->name;
      });
  if (missing == nullptr || is_said) return assessment;
  assessment.fits = Ternary::no;
  assessment.reasons.push_back({.kind = ReasonKind::insufficient_resource,
                                .detail = missing->name,
                                .workload_node = missing->node,
                                .pool_node = {},
                                .requested = missing->amount});
  return assessment;
}

[[nodiscard]] std::size_t certain_reasons(const Assessment& assessment) {
  return static_cast<std::size_t>(
      std::ranges::count(assessment.reasons, Ternary::yes, &Reason::holds));
}

[[nodiscard]] std::string text_of(const Reservation& reservation) {
  const auto& daemons = reservation.daemons;
  std::string text =
      daemons.size() == 1 ? "after the requests of DaemonSet" : "after the requests of DaemonSets";
  for (std::size_t i = 0; i < daemons.size(); ++i) {
    const bool is_last = i + 1 == daemons.size();
    text += fmt::format("{} `{}`", i == 0 ? "" : is_last ? " and" : ",", daemons[i]->name);
  }
  return text;
}

void reserve(const std::string& resource, std::int64_t amount, const Workload& daemon,
             std::vector<Reservation>& reserved) {
  if (amount <= 0) return;
  auto at = std::ranges::find(reserved, resource, &Reservation::resource);
  if (at == reserved.end()) at = reserved.insert(at, {resource, 0, {}});
  at->amount += amount;
  at->daemons.push_back(&daemon);
}

/// The pool with the labels of its instance types, and whether a machine meets its requirements.
[[nodiscard]] KarpenterPool with_machines(KarpenterPool pool) {
  if (pool.provider == KarpenterProvider::aws) add_machine_requirements(pool.requirements);
  pool.knows_machines = true;
  pool.machines = machines_left(pool.requirements);
  if (!pool.machines.is_closed) return pool;
  if (pool.machines.machines.empty()) pool.invalid.emplace_back("requirements");
  for (const LowLimit& low : find_low_limits(pool, pool.machines)) {
    pool.invalid.push_back("limit:" + low.limit.name.value);
  }
  return pool;
}

/// Whether the pool's tool or the kubelet rejects the pool.
[[nodiscard]] bool is_refused(const NodePool& pool) {
  return !pool.error.empty() || !pool.kubelet_error.empty();
}

/// A device plugin among the workloads.
struct Plugin {
  std::string_view vendor;
  const PreparedPod* pod = nullptr;
};

/// Whether the plugin may run on the GPU Node but has not yet: the Node lists none of its devices.
[[nodiscard]] bool is_awaited(const Plugin& plugin, const NodePool& pool) {
  if (std::ranges::any_of(pool.labels, lacks_driver)) return false;
  const bool has_run = std::ranges::any_of(pool.allocatable, [&](const ResourceEntry& entry) {
    return std::string_view(entry.name.value).starts_with(plugin.vendor);
  });
  return !has_run && accelerator_vendor(pool) == plugin.vendor &&
         fits(*plugin.pod, PreparedNode(pool), Transient::ignored) != Ternary::no;
}

/// What GPU Nodes offer is unknown until the device plugins have run.
void mark_awaited(Cluster& cluster, const std::vector<const Workload*>& workloads,
                  const std::vector<PreparedPod>& pods, const std::deque<Workload>& operands) {
  std::vector<Plugin> plugins;
  const auto add = [&](const Workload& workload, const PreparedPod& pod) {
    const auto daemon = find_gpu_daemon(workload);
    if (!daemon || daemon->role != GpuDaemonRole::device_plugin || daemon->vendor.empty()) return;
    plugins.push_back({daemon->vendor, &pod});
  };
  for (std::size_t i = 0; i < workloads.size(); ++i) add(*workloads[i], pods[i]);
  std::deque<PreparedPod> made;
  for (const Workload& operand : operands) add(operand, made.emplace_back(prepare_pod(operand)));
  if (plugins.empty()) return;
  for (NodePool& pool : cluster.pools) {
    if (pool.source != NodePool::Source::node || has_accelerators(pool) != Ternary::yes) continue;
    const bool is_open = std::ranges::any_of(
        plugins, [&](const Plugin& plugin) { return is_awaited(plugin, pool); });
    if (is_open) pool.resources_complete = false;
  }
}

[[nodiscard]] std::unique_ptr<const Cluster> mark(
    const Cluster& given, const std::vector<const Workload*>& workloads,
    const std::vector<PreparedPod>& pods,
    const std::set<std::string, std::less<>>& virtual_resources,
    const std::deque<Workload>& operands) {
  auto marked = std::make_unique<Cluster>(mark_unknowns(given, pods, virtual_resources));
  mark_awaited(*marked, workloads, pods, operands);
  return marked;
}

[[nodiscard]] bool tolerates_all(const PreparedPod& pod, const std::vector<Taint>& taints) {
  return std::ranges::all_of(taints, [&](const Taint& taint) {
    return is_hard(taint) == Ternary::no || tolerated(pod.tolerations, taint) == Ternary::yes;
  });
}

/// Whether each node of a declared pool has the labels that the pod requires.
[[nodiscard]] bool selects_all(const PreparedPod& pod, const NodeClass& nodes) {
  if (nodes.karpenter) return selects_all_nodes(*pod.spec, *nodes.karpenter);
  const NodeLabels& labels = nodes.node.labels;
  return !pod.spec->node_selector_opaque &&
         match_affinity(pod.selection, labels, nodes.node.name).holds == Ternary::yes &&
         std::ranges::all_of(pod.spec->node_selector, [&](const LabelEntry& entry) {
           return matches(entry, labels) == Ternary::yes;
         });
}

/// Whether the DaemonSet certainly has a pod on each node of the class. Its pods stay on a node
/// whose state changes. On declared pools, where the fit is never certain, labels and taints
/// decide.
[[nodiscard]] bool runs_on_all(const PreparedPod& daemon, const NodeClass& nodes) {
  const NodePool& pool = *nodes.node.pool;
  const Ternary fits = gpulint::fits(daemon, nodes, Transient::ignored);
  if (fits != Ternary::unknown) return fits == Ternary::yes;
  if (pool.source == NodePool::Source::node || is_refused(pool)) return false;
  return pool.taints_complete && tolerates_all(daemon, pool.taints) &&
         tolerates_all(daemon, pool.provider_taints) && selects_all(daemon, nodes);
}

}  // namespace

Ternary fits(const PreparedPod& pod, const NodeClass& nodes, Transient states) {
  if (pod.is_elsewhere || is_refused(*nodes.node.pool)) return Ternary::unknown;
  return nodes.karpenter ? assess_karpenter(pod, nodes).fits : fits(pod, nodes.node, states);
}

Assessment assess(const PreparedPod& pod, const NodeClass& nodes, Transient states) {
  if (pod.is_elsewhere) return {.fits = Ternary::unknown, .reasons = {}};
  Assessment assessment =
      nodes.karpenter ? assess_karpenter(pod, nodes) : assess(pod, nodes.node, states);
  if (is_refused(*nodes.node.pool)) assessment.fits = Ternary::unknown;
  return assessment;
}

Placement::Placement(std::vector<const Workload*> workloads, const Cluster& cluster,
                     ExtendedResourceToleration admission)
    : workloads_(std::move(workloads)),
      pods_(prepare_pods(workloads_, admission, 1)),
      cluster_(&cluster) {
  find_bound_pods();
  make_classes();
}

Placement::Placement(std::vector<const Workload*> workloads, std::vector<PreparedPod> pods,
                     const Cluster& given,
                     const std::set<std::string, std::less<>>& virtual_resources,
                     const std::deque<Workload>& operands)
    : workloads_(std::move(workloads)),
      pods_(std::move(pods)),
      marked_(mark(given, workloads_, pods_, virtual_resources, operands)),
      cluster_(marked_.get()) {
  find_bound_pods();
  make_classes();
}

void Placement::find_bound_pods() {
  const NamedNodes nodes(*cluster_);
  for (PreparedPod& pod : pods_) pod.is_elsewhere = nodes.is_elsewhere(*pod.spec);
}

void Placement::make_classes() {
  const Cluster& cluster = *cluster_;
  Interests interests;
  for (const PreparedPod& pod : pods_) add_interests(pod, interests);
  const bool has_claims = std::ranges::any_of(pods_, [](const PreparedPod& pod) {
    return pod.claims != nullptr && !pod.claims->inventory().slices().empty();
  });
  std::unordered_map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < cluster.pools.size(); ++i) {
    PreparedNode node(cluster.pools[i]);
    std::string key = class_key(node, i, interests);
    // Each node has its own devices.
    if (has_claims) append_part(key, std::to_string(i));
    // A class has GPUs if its first node has, so nodes with and without GPUs are kept separate.
    const Ternary has_gpus = has_accelerators(cluster.pools[i]);
    append_part(key, std::to_string(static_cast<int>(has_gpus)));
    const auto [at, is_new] = known.try_emplace(std::move(key), classes_.size());
    if (is_new) {
      NodeClass& made = classes_.emplace_back(NodeClass{{}, std::move(node), {}});
      if (cluster.pools[i].karpenter != nullptr) {
        made.karpenter = with_machines(*cluster.pools[i].karpenter);
        made.lacks_accelerators = has_gpus == Ternary::no;
      }
    }
    classes_[at->second].pools.push_back(i);
  }
  reserve_for_daemons();
}

void Placement::reserve_for_daemons() {
  // If several have one name, it is unknown which one runs.
  std::map<std::string, std::vector<std::size_t>> daemons;
  for (std::size_t w = 0; w < workloads_.size(); ++w) {
    const Workload& workload = *workloads_[w];
    const bool is_given = workload.origin == Workload::Origin::manifest && has_plain_pods(workload);
    if (is_given && pods_[w].is_of_daemon_set) daemons[workload.display_name()].push_back(w);
  }
  for (const auto& [name, namesakes] : daemons) {
    if (namesakes.size() > 1) continue;
    const std::size_t daemon = namesakes.front();
    for (NodeClass& nodes : classes_) {
      if (!runs_on_all(pods_[daemon], nodes)) continue;
      const Workload& agent = *workloads_[daemon];
      for (const PodRequest& request : pods_[daemon].requests.resources) {
        reserve(request.name, request.amount, agent, nodes.node.reserved);
      }
      reserve("pods", 1, agent, nodes.node.reserved);
    }
  }
  for (NodeClass& nodes : classes_) {
    for (Reservation& reserved : nodes.node.reserved) reserved.text = text_of(reserved);
  }
}

Ternary Placement::fits(std::size_t workload, std::size_t node_class) const {
  return gpulint::fits(pods_[workload], classes_[node_class]);
}

Assessment Placement::assess(std::size_t workload, std::size_t node_class) const {
  return gpulint::assess(pods_[workload], classes_[node_class]);
}

Placement::Outlook Placement::outlook(std::size_t workload) const {
  Outlook outlook;
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    const Ternary answer = fits(workload, i);
    const std::size_t count = classes_[i].pools.size();
    outlook.best = any_of(outlook.best, answer);
    (answer == Ternary::yes  ? outlook.fitting
     : answer == Ternary::no ? outlook.refusing
                             : outlook.open) += count;
  }
  if (outlook.best != Ternary::no) return outlook;
  std::size_t fewest = 0;
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    const std::size_t reasons = certain_reasons(assess(workload, i));
    if (outlook.nearest && reasons >= fewest) continue;
    outlook.nearest = i;
    fewest = reasons;
  }
  return outlook;
}

ExtendedResourceToleration admission_of(const Settings& settings) {
  if (settings.admission_plugins) {
    const bool runs = std::ranges::find(*settings.admission_plugins, admission_plugin) !=
                      settings.admission_plugins->end();
    return runs ? ExtendedResourceToleration::on : ExtendedResourceToleration::off;
  }
  const ProviderFacts* const facts = find_provider(provider_name(settings.provider));
  if (facts == nullptr) return ExtendedResourceToleration::unknown;
  switch (facts->extended_resource_toleration) {
    case Support::yes:
      return ExtendedResourceToleration::on;
    case Support::no:
      return ExtendedResourceToleration::off;
    case Support::unknown:
      return ExtendedResourceToleration::unknown;
  }
  return ExtendedResourceToleration::unknown;
}

}  // namespace gpulint
