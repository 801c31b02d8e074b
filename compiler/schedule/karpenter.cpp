#include "compiler/schedule/karpenter.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "compiler/ir/read.h"
#include "compiler/model/pools/validate_karpenter_requirement.h"
#include "compiler/schedule/tolerate.h"

namespace gpulint {
namespace {

constexpr std::string_view nodepool_label = "karpenter.sh/nodepool";

/// A pod as Karpenter sees it while it gives up preferences one by one.
struct Relaxation {
  std::span<const SelectorTerm> required;
  std::vector<const SelectorTerm*> preferred;  ///< Heaviest first.
  std::vector<Toleration> tolerations;
  std::size_t pod_preferences = 0;  ///< Of pod affinity and anti-affinity, which are not checked.
  std::size_t spread_preferences = 0;
  bool may_tolerate_soft_taints = false;

  /// Gives up one preference or alternative; false if none is left.
  [[nodiscard]] bool relax() {
    if (required.size() > 1) {
      required = required.subspan(1);
    } else if (pod_preferences > 0) {
      --pod_preferences;
    } else if (!preferred.empty()) {
      preferred.erase(preferred.begin());
    } else if (spread_preferences > 0) {
      --spread_preferences;
    } else if (may_tolerate_soft_taints) {
      may_tolerate_soft_taints = false;
      tolerations.push_back({.node = {},
                             .key = {},
                             .op = Field<std::string>::known("Exists"),
                             .value = {},
                             .effect = Field<std::string>::known("PreferNoSchedule"),
                             .toleration_seconds = {}});
    } else {
      return false;
    }
    return true;
  }
};

[[nodiscard]] bool tolerates_soft_taints(const std::vector<Toleration>& tolerations) {
  return std::ranges::any_of(tolerations, [](const Toleration& t) {
    return t.op.equals("Exists") && t.effect.equals("PreferNoSchedule") &&
           t.key.value_or("").empty() && t.value.value_or("").empty();
  });
}

[[nodiscard]] Relaxation start(const PodSpec& pod, const std::vector<Toleration>& tolerations,
                               const KarpenterPool& pool) {
  Relaxation state;
  state.required = pod.node_affinity.required;
  state.tolerations = tolerations;
  for (const SelectorTerm& term : pod.node_affinity.preferred) state.preferred.push_back(&term);
  std::ranges::stable_sort(state.preferred, std::greater<>{}, &SelectorTerm::weight);
  for (const std::string_view key : {"podAffinity", "podAntiAffinity"}) {
    const Node affinity = pod.node.at("affinity", key);
    state.pod_preferences += affinity.get("preferredDuringSchedulingIgnoredDuringExecution").size();
  }
  for (const Node constraint : pod.node.get("topologySpreadConstraints").items()) {
    const bool is_soft = read_string(constraint, "whenUnsatisfiable").equals("ScheduleAnyway");
    if (is_soft) ++state.spread_preferences;
  }
  const bool has_soft_taint = std::ranges::any_of(
      pool.taints, [](const Taint& taint) { return taint.effect.equals("PreferNoSchedule"); });
  state.may_tolerate_soft_taints = has_soft_taint && !tolerates_soft_taints(tolerations);
  return state;
}

/// The node selector, the heaviest preference left and the first alternative left.
[[nodiscard]] KarpenterRequirements requirements_of(const PodSpec& pod, const Relaxation& state) {
  KarpenterRequirements requirements;
  for (const LabelEntry& entry : pod.node_selector) requirements.add(entry);
  if (!state.preferred.empty()) {
    for (const SelectorRequirement& r : state.preferred.front()->expressions) requirements.add(r);
  }
  if (!state.required.empty()) {
    for (const SelectorRequirement& r : state.required.front().expressions) requirements.add(r);
  }
  return requirements;
}

using Reasons = std::set<std::string>;

/// Labels that neither the pool nor Karpenter's tables define; unknown for other providers' labels.
[[nodiscard]] Ternary check_defined(const KarpenterRequirements& wanted, const KarpenterPool& pool,
                                    Reasons& reasons) {
  Ternary answer = Ternary::yes;
  for (const auto& [key, requirement] : wanted.by_key()) {
    if (is_karpenter_well_known(key, pool.provider)) continue;
    if (pool.requirements.find(key) != nullptr || requirement.allows_absence()) continue;
    if (requirement.is_open()) continue;
    if (pool.provider == KarpenterProvider::other || pool.requirements.is_open()) {
      answer = all_of(answer, Ternary::unknown);
      continue;
    }
    answer = Ternary::no;
    reasons.insert("undefined-label:" + key);
  }
  return answer;
}

[[nodiscard]] Ternary check_overlap(const KarpenterRequirements& wanted, const KarpenterPool& pool,
                                    Reasons& reasons) {
  Ternary answer = Ternary::yes;
  for (const auto& [key, requirement] : wanted.by_key()) {
    const KarpenterRequirement* const offered = pool.requirements.find(key);
    if (offered == nullptr || offered->has_intersection(requirement)) continue;
    if (requirement.allows_absence() && offered->allows_absence()) continue;
    if (requirement.is_open() || offered->is_open()) continue;
    answer = Ternary::no;
    reasons.insert("conflict:" + key);
  }
  return answer;
}

[[nodiscard]] Ternary check_taints(const Relaxation& state, const PodSpec& pod,
                                   const KarpenterPool& pool, Reasons& reasons) {
  Ternary answer = Ternary::yes;
  for (const Taint& taint : pool.taints) {
    Ternary passes = tolerated(state.tolerations, taint, ComparisonOperators::on);
    if (passes == Ternary::no && pod.tolerations_opaque) passes = Ternary::unknown;
    answer = all_of(answer, passes);
    if (passes == Ternary::no) reasons.insert("untolerated-taint:" + to_string(taint));
  }
  return answer;
}

[[nodiscard]] Ternary check(const PodSpec& pod, const Relaxation& state, const KarpenterPool& pool,
                            Reasons& reasons) {
  KarpenterRequirements wanted = requirements_of(pod, state);
  if (pool.knows_machines && pool.provider == KarpenterProvider::aws) {
    add_machine_requirements(wanted);
  }
  Ternary answer =
      all_of(check_taints(state, pod, pool, reasons), check_defined(wanted, pool, reasons),
             check_overlap(wanted, pool, reasons));
  const bool is_open = wanted.is_open() || pool.requirements.is_open() ||
                       pod.node_selector_opaque || pod.affinity_opaque;
  if (answer == Ternary::yes && is_open) answer = Ternary::unknown;
  return answer;
}

void refuse(const SelectorRequirement& requirement, KarpenterProvider provider, Reasons& refusals) {
  const std::string written = requirement.key.value_or("");
  const std::string key(normalized_label(written));
  switch (karpenter_flaw(requirement, provider)) {
    case RequirementFlaw::none:
      return;
    case RequirementFlaw::restricted:
      refusals.insert("restricted-label:" + key);
      return;
    case RequirementFlaw::bad:
      refusals.insert("bad-requirement:" + key);
      return;
  }
}

/// Why Karpenter ignores the pod (KarpenterVerdict::pod_refused).
[[nodiscard]] std::vector<std::string> karpenter_refusals(const PodSpec& pod,
                                                          KarpenterProvider provider) {
  Reasons refusals;
  for (const LabelEntry& entry : pod.node_selector) {
    refuse({.node = entry.key.node,
            .key = Field<std::string>::known(entry.key.value, entry.key.node),
            .op = Field<std::string>::known("In"),
            .values = {entry.value}},
           provider, refusals);
  }
  for (const SelectorTerm& term : pod.node_affinity.required) {
    if (term.node.get("matchFields").is_sequence()) refusals.insert("match-fields");
    for (const SelectorRequirement& requirement : term.expressions) {
      refuse(requirement, provider, refusals);
    }
  }
  const Relaxation first = start(pod, {}, {});
  const KarpenterRequirements wanted = requirements_of(pod, first);
  const KarpenterRequirement* const nodepool = wanted.find(nodepool_label);
  if (nodepool != nullptr && !nodepool->is_complement() && nodepool->values().empty()) {
    refusals.insert("nodepool-label-must-not-exist");
  }
  return {refusals.begin(), refusals.end()};
}

}  // namespace

KarpenterVerdict check_karpenter(const PodSpec& pod, const KarpenterPool& pool) {
  return check_karpenter(pod, pod.tolerations, pool);
}

KarpenterVerdict check_karpenter(const PodSpec& pod, const std::vector<Toleration>& tolerations,
                                 const KarpenterPool& pool) {
  KarpenterVerdict verdict;
  verdict.pod_refused = karpenter_refusals(pod, pool.provider);
  if (!pool.invalid.empty()) {
    verdict.compatible = Ternary::no;
    verdict.reasons = {"nodepool-invalid"};
    return verdict;
  }
  Relaxation state = start(pod, tolerations, pool);
  while (true) {
    Reasons reasons;
    verdict.compatible = check(pod, state, pool, reasons);
    verdict.reasons.assign(reasons.begin(), reasons.end());
    if (verdict.compatible != Ternary::no || !state.relax()) return verdict;
    ++verdict.relaxed;
  }
}

}  // namespace gpulint
