#include "compiler/schedule/placement_analysis.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/parallel.h"
#include "compiler/ir/read.h"
#include "compiler/model/facts/provider_catalog.h"
#include "compiler/model/kinds/kueue.h"
#include "compiler/model/objects.h"
#include "compiler/schedule/cause_collector.h"
#include "compiler/schedule/contradiction.h"
#include "compiler/schedule/daemon_coverage.h"
#include "compiler/schedule/gpu_daemon.h"
#include "compiler/schedule/gpu_relation.h"
#include "compiler/schedule/operands.h"
#include "compiler/schedule/pod_diagnosis.h"
#include "compiler/schedule/pool_accelerators.h"
#include "compiler/schedule/queued_pods.h"
#include "compiler/schedule/virtual_resources.h"

namespace gpulint {
namespace {

[[nodiscard]] Candidates keep_if(const Candidates& candidates, auto predicate) {
  Candidates kept;
  std::ranges::copy_if(candidates, std::back_inserter(kept),
                       [&](const Candidate* candidate) { return predicate(*candidate); });
  return kept;
}

/// Whether no candidate fits because of a taint with this text.
[[nodiscard]] bool is_universal(const Cause& cause, const Candidates& candidates) {
  const auto& taint = std::get<UntoleratedTaint>(cause.what);
  const std::string text = fmt::format("{}={}:{}", taint.key, taint.value, taint.effect);
  return std::ranges::all_of(candidates, [&](const Candidate* candidate) {
    const auto reasons = candidate->certain(ReasonKind::untolerated_taint);
    return std::ranges::any_of(reasons, [&](const Reason* r) { return r->detail == text; });
  });
}

/// The causes for one workload.
class PodDiagnosis {
 public:
  PodDiagnosis(const Workload& workload, const PreparedPod& pod, const KnownNodes& nodes)
      : workload_(workload), pod_(pod) {
    candidates_.reserve(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      candidates_.push_back({&nodes, i, nodes.assess(pod, i)});
    }
    for (const Candidate& candidate : candidates_) all_.push_back(&candidate);
  }

  /// Candidates are narrowed in the order in which people choose nodes: by resource, by label, by
  /// size, by taint. The step that leaves no candidate is the cause.
  [[nodiscard]] std::vector<Cause> find() const {
    std::vector<Cause> causes = missing_resources(pod_, all_, all_);
    if (!causes.empty()) return causes;
    // With an invalid affinity it is unknown which nodes are meant.
    const bool is_refused = std::ranges::any_of(candidates_, [](const Candidate& candidate) {
      return candidate.find(ReasonKind::node_affinity_error) != nullptr;
    });
    if (is_refused) return {};
    const Candidates offering = keep_if(all_, [&](const Candidate& c) { return offers_all(c); });
    if (offering.empty()) return {no_node_fits(pod_, all_, all_)};
    const Candidates selected =
        keep_if(offering, [](const Candidate& c) { return c.passes_selection(); });
    if (selected.empty()) {
      causes = missing_where_meant(offering);
      if (!causes.empty()) return causes;
      return with_common_taints(unmatched_selection(pod_, offering, all_), offering);
    }
    const Candidates large = keep_if(selected, [](const Candidate& c) {
      return c.find(ReasonKind::insufficient_resource) == nullptr;
    });
    if (large.empty()) {
      causes = exceeded_amounts(pod_, selected);
      if (causes.empty()) causes.push_back(no_node_fits(pod_, selected, all_));
      return with_common_taints(std::move(causes), selected);
    }
    return untolerated_taints(workload_, pod_, large);
  }

  /// For pods that request no GPU: the reasons of the nearest node without GPUs.
  [[nodiscard]] std::vector<Cause> find_with_gpus() const {
    const Candidates plain = keep_if(all_, [](const Candidate& c) {
      return c.nodes->has_accelerators(c.node_class) == Ternary::no;
    });
    std::vector<Cause> causes{no_node_fits(pod_, plain, all_)};
    std::get<NoNodeFits>(causes.front().what).runs_with_gpus = true;
    return causes;
  }

 private:
  /// Whether the candidate has some amount of each device that the pod requests.
  [[nodiscard]] bool offers_all(const Candidate& candidate) const {
    const auto lacking = candidate.certain(ReasonKind::insufficient_resource);
    return std::ranges::none_of(lacking, [](const Reason* reason) {
      return reason->offered == 0 && reason->detail.find('/') != std::string::npos;
    });
  }

  /// Resources missing on the GPU nodes that match the pod's labels best, if no node that offers
  /// all of them matches as well: nodes of another kind were not meant.
  [[nodiscard]] std::vector<Cause> missing_where_meant(const Candidates& offering) const {
    const auto missing = [&](const Candidate* c) { return missing_labels(pod_, *c); };
    const std::size_t least = missing(std::ranges::min(all_, {}, missing));
    if (least >= missing(std::ranges::min(offering, {}, missing))) return {};
    const Candidates meant =
        keep_if(all_, [&](const Candidate& c) { return missing_labels(pod_, c) == least; });
    std::vector<Cause> causes = missing_resources(pod_, meant, all_);
    std::erase_if(causes, [](const Cause& cause) {
      return std::get<MissingResource>(cause.what).offered.empty();
    });
    return causes;
  }

  /// Adds the taints that reject the pod even if the other causes are corrected. Not for compiled
  /// pods, where one line of configuration sets both requirement and toleration.
  [[nodiscard]] std::vector<Cause> with_common_taints(std::vector<Cause> causes,
                                                      const Candidates& candidates) const {
    if (workload_.origin == Workload::Origin::compiled) return causes;
    for (Cause& cause : untolerated_taints(workload_, pod_, candidates)) {
      if (is_universal(cause, candidates)) causes.push_back(std::move(cause));
    }
    return causes;
  }

  const Workload& workload_;
  const PreparedPod& pod_;
  std::vector<Candidate> candidates_;
  Candidates all_;
};

/// Whether the pod's nodeSelector and affinity match the nodes of the class.
[[nodiscard]] Ternary selects(const PreparedPod& pod, const NodeClass& nodes) {
  if (nodes.karpenter) return Ternary::unknown;
  const NodeLabels& labels = nodes.node.labels;
  Ternary passes = all_of(match_affinity(pod.selection, labels, nodes.node.name).holds,
                          pod.spec->node_selector_opaque ? Ternary::unknown : Ternary::yes);
  for (const LabelEntry& entry : pod.spec->node_selector) {
    passes = all_of(passes, matches(entry, labels));
  }
  return passes;
}

/// Whether the pod selects GPU nodes by a label that does not mention GPUs (`pool: a100`): it
/// matches GPU nodes, and no other node. False if all nodes have GPUs, because then any label does
/// so.
[[nodiscard]] bool selects_only_gpu_nodes(const PreparedPod& pod, const KnownNodes& nodes) {
  if (pod.spec->node_selector.empty() && pod.selection.terms.empty()) return false;
  bool selects_some = false;
  bool has_others = false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Ternary selected = selects(pod, nodes.placement().classes()[i]);
    const std::vector<const NodePool*> members = nodes.members(i);
    const auto has_gpus = [](const NodePool* pool) {
      return has_accelerators(*pool) == Ternary::yes;
    };
    if (std::ranges::all_of(members, has_gpus)) {
      selects_some = selects_some || selected == Ternary::yes;
      continue;
    }
    if (selected != Ternary::no) return false;
    has_others = has_others || std::ranges::any_of(members, [](const NodePool* pool) {
                   return has_accelerators(*pool) == Ternary::no;
                 });
  }
  return selects_some && has_others;
}

/// Whether the pod's selector requires a label that is written for the pool.
[[nodiscard]] bool is_demanded(const NodePool& pool, const PodSpec& pod) {
  return std::ranges::any_of(pod.node_selector, [&](const LabelEntry& entry) {
    return std::ranges::any_of(pool.labels, [&](const PoolLabel& label) {
      const bool is_own = label.known == PoolLabel::Known::exact && label.node;
      return is_own && label.key == entry.key.value && entry.value.equals(label.values.front());
    });
  });
}

/// Whether a label that is written for a declared pool binds the pod to that pool, although its
/// machines have no accelerators.
[[nodiscard]] bool is_tied_to_plain_pools(const PreparedPod& pod, const KnownNodes& nodes) {
  bool is_tied = false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodePool& pool = nodes.pool(i);
    const bool is_plain = !pool.machine_types.empty() && nodes.has_accelerators(i) == Ternary::no;
    if (is_plain && is_demanded(pool, *pod.spec)) {
      is_tied = true;
    } else if (selects(pod, nodes.placement().classes()[i]) != Ternary::no) {
      return false;
    }
  }
  return is_tied;
}

[[nodiscard]] bool is_checked(const Workload& workload) {
  const bool is_part =
      workload.origin == Workload::Origin::queued || workload.origin == Workload::Origin::values;
  return (is_part || is_placed_as_written(workload)) && !find_contradiction(workload.pod);
}

[[nodiscard]] bool concerns_gpu_nodes(const Workload& workload, const PreparedPod& pod,
                                      const KnownNodes& nodes) {
  return gpu_relation(workload.pod) != GpuRelation::none || requests_gpu(workload.pod) ||
         selects_only_gpu_nodes(pod, nodes);
}

/// Pods without GPU requests that belong to a GPU workload: other pods of the same object request
/// GPUs (heads of Ray, leaders), or they manage GPUs or run Flyte tasks. None if all given nodes
/// have GPUs: the nodes for such pods may not be among the inputs.
class GpuStack {
 public:
  GpuStack(const ScopeModel& model, const KnownNodes& nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      has_plain_nodes_ = has_plain_nodes_ || nodes.has_accelerators(i) == Ternary::no;
    }
    for (const Workload& workload : model.workloads) {
      if (requests_gpu(workload.pod)) objects_.insert(key_of(workload));
    }
  }

  [[nodiscard]] bool contains(const Workload& workload) const {
    if (!has_plain_nodes_ || workload.kind.equals("DaemonSet")) return false;
    if (workload.origin == Workload::Origin::compiled) return !workload.is_assumed;
    return workload.origin == Workload::Origin::manifest &&
           (objects_.contains(key_of(workload)) || find_gpu_daemon(workload));
  }

 private:
  using Key = std::pair<FileId, std::size_t>;
  [[nodiscard]] static Key key_of(const Workload& workload) {
    const Span span = workload.object.span();
    return {span.file, span.begin};
  }

  bool has_plain_nodes_ = false;
  std::set<Key> objects_;
};

/// Labels and taints of a GPU DaemonSet are checked for each of its nodes by find_daemon_gaps().
[[nodiscard]] bool is_for_daemon_gaps(const Workload& workload, const Cause& cause) {
  if (!workload.kind.equals("DaemonSet") || std::holds_alternative<ExceededAmount>(cause.what)) {
    return false;
  }
  const GpuRelation concern = gpu_relation(workload.pod);
  return concern == GpuRelation::selection ||
         (concern == GpuRelation::none && find_gpu_daemon(workload));
}

/// Whether the workload may fit some node with the suggestions of all causes.
[[nodiscard]] bool is_verified(const Workload& workload, const std::vector<Cause>& causes,
                               const KnownNodes& nodes, ExtendedResourceToleration admission) {
  const std::optional<Workload> changed = with_suggestions(workload, causes);
  if (!changed) return false;
  std::vector<KnownNodes::LabelPair> labels;
  for (const Cause& cause : causes) {
    const auto* const unmatched = std::get_if<UnmatchedRequirement>(&cause.what);
    if (unmatched == nullptr) continue;
    labels.emplace_back(unmatched->suggested_key, unmatched->suggested_value);
  }
  return nodes.may_fit_somewhere(prepare_pod(*changed, admission), labels);
}

[[nodiscard]] std::vector<Cause> find_causes(const Workload& workload, const PreparedPod& pod,
                                             const KnownNodes& nodes, const GpuStack& stack,
                                             ExtendedResourceToleration admission) {
  const bool is_concerned = concerns_gpu_nodes(workload, pod, nodes);
  if ((!is_concerned && !stack.contains(workload)) || !is_checked(workload) ||
      nodes.may_fit_somewhere(pod)) {
    return {};
  }
  const PodDiagnosis diagnosis(workload, pod, nodes);
  std::vector<Cause> causes = is_concerned ? diagnosis.find() : diagnosis.find_with_gpus();
  std::erase_if(causes, [&](const Cause& cause) {
    // For a flavor, only labels are reported.
    const auto* const label = std::get_if<UnmatchedRequirement>(&cause.what);
    const bool is_of_pods = is_flavor(workload) && label == nullptr;
    // Labels of the flavor are reported once, for the flavor.
    const bool is_of_flavor = !is_flavor(workload) && label != nullptr && label->key_node &&
                              label->key_node.parent().key().text() == "nodeLabels";
    return is_of_pods || is_of_flavor || is_for_daemon_gaps(workload, cause);
  });
  const bool verified = is_verified(workload, causes, nodes, admission);
  for (Cause& cause : causes) cause.is_fix_verified = verified;
  return causes;
}

[[nodiscard]] std::vector<const Workload*> all_workloads(const ScopeModel& model,
                                                         const std::deque<Workload>& queued,
                                                         const std::deque<Workload>& operands) {
  std::vector<const Workload*> workloads;
  for (const Workload& workload : model.workloads) workloads.push_back(&workload);
  for (const Workload& workload : model.compiled) workloads.push_back(&workload);
  for (const Workload& workload : queued) workloads.push_back(&workload);
  for (const Workload& workload : operands) workloads.push_back(&workload);
  for (const Workload& workload : model.fragments) {
    if (workload.origin == Workload::Origin::values) workloads.push_back(&workload);
  }
  return workloads;
}

}  // namespace

ExtendedResourceToleration extended_resource_toleration(const ScopeModel& model) {
  const ExtendedResourceToleration declared = admission_of(*model.settings);
  if (declared != ExtendedResourceToleration::unknown) return declared;
  const ProviderFacts* const facts = find_provider(provider_name(model.cluster.provider));
  if (facts == nullptr) return ExtendedResourceToleration::unknown;
  switch (facts->extended_resource_toleration) {
    case Support::yes:
      return ExtendedResourceToleration::on;
    case Support::no:
      return ExtendedResourceToleration::off;
    case Support::unknown:
      break;
  }
  return ExtendedResourceToleration::unknown;
}

ExtendedResourceToleration assumed_admission(const ScopeModel& model) {
  const bool is_on = extended_resource_toleration(model) == ExtendedResourceToleration::on;
  return is_on ? ExtendedResourceToleration::on : ExtendedResourceToleration::off;
}

PlacementAnalysis analyze_placement(const ScopeModel& model, unsigned jobs) {
  PlacementAnalysis analysis;
  analysis.admission = extended_resource_toleration(model);
  if (model.cluster.pools.empty()) return analysis;
  analysis.assumed = assumed_admission(model);
  analysis.queued = find_queued_pods(model);
  analysis.operands = find_operands(model);
  const KnownNodes& nodes = analysis.nodes.emplace(
      model.cluster, all_workloads(model, analysis.queued, analysis.operands), analysis.assumed,
      virtual_resources(model), jobs);
  analysis.daemon_gaps = find_daemon_gaps(nodes);
  const Placement& placement = nodes.placement();
  const GpuStack stack(model, nodes);
  auto found = parallel_map(placement.workloads().size(), jobs, [&](std::size_t i) {
    // An autoscaler may have scaled the GPU nodes to zero: then they are unknown.
    if (!nodes.has_gpus() && !is_tied_to_plain_pools(placement.pod(i), nodes)) {
      return std::vector<Cause>{};
    }
    return find_causes(*placement.workloads()[i], placement.pod(i), nodes, stack, analysis.assumed);
  });
  CauseCollector collector(analysis.causes);
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (Cause& cause : found[i]) collector.add(std::move(cause), *placement.workloads()[i]);
  }
  return analysis;
}

}  // namespace gpulint
