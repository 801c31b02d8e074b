#include "compiler/schedule/pod_diagnosis.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "compiler/base/check.h"
#include "compiler/schedule/gpu_relation.h"

namespace gpulint {
namespace {

[[nodiscard]] bool is_held(const Reason& reason) { return reason.holds == Ternary::yes; }

void rename_resource(std::vector<ResourceEntry>& entries, const MissingResource& resource) {
  for (ResourceEntry& entry : entries) {
    if (entry.name.value == resource.name) entry.name.value = resource.suggestion;
  }
}

[[nodiscard]] bool carry_out(const MissingResource& resource, PodSpec& pod) {
  if (resource.suggestion.empty()) return false;
  for (Container& container : pod.containers) {
    rename_resource(container.resources.limits, resource);
    rename_resource(container.resources.requests, resource);
  }
  return true;
}

[[nodiscard]] bool carry_out(const UnmatchedRequirement& unmatched, PodSpec& pod) {
  if (unmatched.suggested_key.empty()) return false;
  const auto value = Field<std::string>::known(unmatched.suggested_value);
  for (LabelEntry& entry : pod.node_selector) {
    if (entry.key.node != unmatched.key_node || entry.key.value != unmatched.key) continue;
    entry.key.value = unmatched.suggested_key;
    entry.value = value;
  }
  for (SelectorTerm& term : pod.node_affinity.required) {
    for (SelectorRequirement& expression : term.expressions) {
      if (!expression.key.equals(unmatched.key)) continue;
      if (expression.values.size() != unmatched.wanted.size()) continue;
      expression.key = Field<std::string>::known(unmatched.suggested_key);
      if (!expression.values.empty()) expression.values.front() = value;
    }
  }
  return true;
}

[[nodiscard]] bool carry_out(const ExceededAmount&, PodSpec&) { return false; }
[[nodiscard]] bool carry_out(const NoNodeFits&, PodSpec&) { return false; }

/// Corrects the similar toleration, or adds one.
[[nodiscard]] bool carry_out(const UntoleratedTaint& taint, PodSpec& pod) {
  const auto key = Field<std::string>::known(taint.key);
  const auto value = Field<std::string>::known(taint.value);
  const auto effect = Field<std::string>::known(taint.effect);
  if (taint.miss == UntoleratedTaint::Miss::none) {
    pod.tolerations.push_back({.node = {},
                               .key = key,
                               .op = {},
                               .value = value,
                               .effect = effect,
                               .toleration_seconds = {}});
    return true;
  }
  for (Toleration& toleration : pod.tolerations) {
    if (toleration.node != taint.near.node) continue;
    if (taint.miss == UntoleratedTaint::Miss::key) toleration.key = key;
    if (taint.miss == UntoleratedTaint::Miss::value) toleration.value = value;
    if (taint.miss == UntoleratedTaint::Miss::effect) toleration.effect = effect;
  }
  return true;
}

}  // namespace

const Reason* Candidate::find(ReasonKind kind) const {
  const auto found = std::ranges::find_if(assessment.reasons, [&](const Reason& reason) {
    return reason.kind == kind && is_held(reason);
  });
  return found == assessment.reasons.end() ? nullptr : &*found;
}

std::vector<const Reason*> Candidate::certain(ReasonKind kind) const {
  std::vector<const Reason*> reasons;
  for (const Reason& reason : assessment.reasons) {
    if (reason.kind == kind && is_held(reason)) reasons.push_back(&reason);
  }
  return reasons;
}

bool Candidate::passes_selection() const {
  return find(ReasonKind::node_selector) == nullptr && find(ReasonKind::node_affinity) == nullptr &&
         find(ReasonKind::node_affinity_error) == nullptr;
}

const Candidate* nearest_candidate(const PreparedPod& pod, const Candidates& candidates) {
  const auto distance = [&](const Candidate* candidate) {
    return std::tuple(missing_labels(pod, *candidate),
                      std::ranges::count_if(candidate->assessment.reasons, is_held),
                      candidate->nodes->has_accelerators(candidate->node_class) != Ternary::yes);
  };
  const auto best = std::ranges::min_element(candidates, {}, distance);
  return best == candidates.end() ? nullptr : *best;
}

namespace {

/// The requirement that the candidate does not meet; null if there are several alternative terms.
[[nodiscard]] Node failing_requirement(const PreparedPod& pod, const Candidate& candidate) {
  if (pod.selection.terms.size() != 1) return {};
  for (const NodeRequirement& requirement : pod.selection.terms.front().labels) {
    if (matches(requirement, candidate.known().node.labels) != Ternary::no) continue;
    const SelectorRequirement& source = *requirement.source;
    if (source.values.size() == 1 && source.values.front().node()) {
      return source.values.front().node();
    }
    return source.key.node() ? source.key.node() : source.node;
  }
  return {};
}

/// The workload's half of the first reason that has one; else its pod spec.
[[nodiscard]] Node demand_of(const std::vector<Reason>& lacks, const PreparedPod& pod,
                             const Candidate& candidate) {
  for (const Reason& reason : lacks) {
    if (reason.kind == ReasonKind::node_affinity) {
      if (const Node requirement = failing_requirement(pod, candidate)) return requirement;
    }
    if (reason.workload_node) return reason.workload_node;
  }
  return pod.spec->node;
}

/// If the nearest node has none of a resource: the label that excludes all nodes with it.
[[nodiscard]] Node misleading_label(const std::vector<Reason>& lacks, const PreparedPod& pod,
                                    const Candidates& all) {
  const auto is_absent = [](const Reason& reason) {
    return reason.kind == ReasonKind::insufficient_resource && reason.offered == 0;
  };
  const auto absent = std::ranges::find_if(lacks, is_absent);
  if (absent == lacks.end()) return {};
  Candidates offering;
  std::ranges::copy_if(all, std::back_inserter(offering), [&](const Candidate* candidate) {
    return std::ranges::none_of(
        candidate->certain(ReasonKind::insufficient_resource),
        [&](const Reason* reason) { return reason->detail == absent->detail; });
  });
  return offering.empty() ? Node{} : excluding_label(pod, offering);
}

/// Whether some candidate has enough of each resource that the pod requests.
[[nodiscard]] bool is_each_amount_met(const PreparedPod& pod, const Candidates& all) {
  return std::ranges::all_of(pod.requests.resources, [&](const PodRequest& request) {
    return std::ranges::any_of(all, [&](const Candidate* candidate) {
      const auto lacking = candidate->certain(ReasonKind::insufficient_resource);
      return std::ranges::none_of(
          lacking, [&](const Reason* reason) { return reason->detail == request.name; });
    });
  });
}

}  // namespace

Cause no_node_fits(const PreparedPod& pod, const Candidates& candidates, const Candidates& all) {
  Candidates blocking;  // a DaemonSet may fit other candidates
  std::ranges::copy_if(candidates, std::back_inserter(blocking), [](const Candidate* candidate) {
    return std::ranges::any_of(candidate->assessment.reasons, is_held);
  });
  GPULINT_CHECK(!blocking.empty());
  const Candidate& nearest = *nearest_candidate(pod, blocking);
  NoNodeFits nothing;
  nothing.is_each_met = is_each_label_met(pod, all) && is_each_amount_met(pod, all);
  std::ranges::copy_if(nearest.assessment.reasons, std::back_inserter(nothing.lacks), is_held);
  Cause cause{.what = {},
              .demand = misleading_label(nothing.lacks, pod, all),
              .where = {},
              .other = nothing.lacks.front().pool_node,
              .pool = &nearest.pool(),
              .workloads = {}};
  if (!cause.demand) cause.demand = demand_of(nothing.lacks, pod, nearest);
  cause.what = std::move(nothing);
  return cause;
}

std::optional<Workload> with_suggestions(const Workload& workload,
                                         const std::vector<Cause>& causes) {
  Workload changed = workload;
  for (const Cause& cause : causes) {
    const bool is_done =
        std::visit([&](const auto& what) { return carry_out(what, changed.pod); }, cause.what);
    if (!is_done) return std::nullopt;
  }
  return changed;
}

}  // namespace gpulint
