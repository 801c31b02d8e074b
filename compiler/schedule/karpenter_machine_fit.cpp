#include "compiler/schedule/karpenter_machine_fit.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/model/read_pod.h"
#include "compiler/schedule/pool_machines.h"

namespace gpulint {
namespace {

/// What every form of the pod demands of its node's labels.
[[nodiscard]] KarpenterRequirements demands_of(const PodSpec& pod) {
  KarpenterRequirements demands;
  for (const LabelEntry& entry : pod.node_selector) demands.add(entry);
  if (pod.node_affinity.required.size() == 1) {
    for (const SelectorRequirement& requirement : pod.node_affinity.required.front().expressions) {
      demands.add(requirement);
    }
  }
  return demands;
}

[[nodiscard]] Reason shortage(const PodRequest& request, std::int64_t offered,
                              const KarpenterPool& pool) {
  return {.kind = ReasonKind::insufficient_resource,
          .holds = Ternary::yes,
          .detail = request.name,
          .workload_node = request.node,
          .pool_node = machines_node(pool),
          .requested = request.amount,
          .offered = offered};
}

/// What the pod wants beyond the limits of the whole pool, which Karpenter never exceeds: it leaves
/// out machines that would (pkg/controllers/provisioning/scheduling, filterByRemainingResources). A
/// limit of zero closes a pool on purpose.
[[nodiscard]] std::vector<Reason> beyond_limits(const PreparedPod& pod, const KarpenterPool& pool) {
  std::vector<Reason> reasons;
  const Node limits = pool.object.at("spec", "limits");
  for (const ResourceEntry& limit :
       read_resource_list(pool.is_provisioner() ? limits.get("resources") : limits)) {
    const PodRequest* const request = pod.requests.find(limit.name.value);
    if (request == nullptr || !limit.amount.is_known()) continue;
    const std::int64_t most = count_of(limit.name.value, limit.amount.value());
    if (most <= 0 || request->amount <= most) continue;
    Reason reason = shortage(*request, most, pool);
    reason.pool_node = limit.amount.node();
    reasons.push_back(std::move(reason));
  }
  return reasons;
}

[[nodiscard]] bool leaves_none(const KarpenterRequirements& demands, const KarpenterPool& pool) {
  return machines_left(demands, pool.machines).machines.empty();
}

/// The label of which no machine of the pool has what the pod demands, else one without which there
/// would be some; empty where several are to blame.
[[nodiscard]] std::string_view label_to_blame(const KarpenterRequirements& demands,
                                              const KarpenterPool& pool) {
  for (const auto& [key, requirement] : demands.by_key()) {
    KarpenterRequirements one;
    one.add(key, requirement);
    if (leaves_none(one, pool)) return key;
  }
  for (const auto& [key, requirement] : demands.by_key()) {
    KarpenterRequirements others;
    for (const auto& [other, its] : demands.by_key()) {
      if (other != key) others.add(other, its);
    }
    if (!leaves_none(others, pool)) return key;
  }
  return {};
}

/// That none of the pool's machines has the labels that the pod demands.
[[nodiscard]] Reason conflict(const PodSpec& pod, const KarpenterRequirements& demands,
                              const KarpenterPool& pool) {
  const std::string_view key = label_to_blame(demands, pool);
  const auto entry = std::ranges::find_if(pod.node_selector, [&](const LabelEntry& label) {
    return normalized_label(label.key.value) == key;
  });
  const bool is_selected = entry != pod.node_selector.end();
  return {.kind = is_selected ? ReasonKind::node_selector : ReasonKind::node_affinity,
          .holds = Ternary::yes,
          .detail = fmt::format("no-instance-type:{}", key),
          .workload_node = is_selected ? entry->key.node : pod.node_affinity.node,
          .pool_node = machines_node(pool)};
}

/// What the machines have too little of.
[[nodiscard]] std::vector<Reason> shortages(const PreparedPod& pod, const KarpenterPool& pool,
                                            const std::vector<const Machine*>& machines) {
  std::vector<Reason> reasons;
  for (const PodRequest& request : pod.requests.resources) {
    const auto most = most_of(machines, request.name, pool.may_share_devices);
    if (!most) continue;
    const std::int64_t left = left_for_pods(request.name, *most);
    if (request.amount > left) reasons.push_back(shortage(request, left, pool));
  }
  return reasons;
}

/// Of machines each of which has too little of something: what none has enough of, else what the
/// nearest lacks. Empty where one of them may hold the pod.
[[nodiscard]] std::vector<Reason> shortages_of_all(const PreparedPod& pod,
                                                   const KarpenterPool& pool,
                                                   const std::vector<const Machine*>& machines) {
  std::optional<std::vector<Reason>> nearest;
  for (const Machine* machine : machines) {
    std::vector<Reason> lacks = shortages(pod, pool, {machine});
    if (lacks.empty()) return {};
    if (!nearest || lacks.size() < nearest->size()) nearest = std::move(lacks);
  }
  std::vector<Reason> common = shortages(pod, pool, machines);
  if (!common.empty()) return common;
  return nearest ? std::move(*nearest) : std::vector<Reason>{};
}

}  // namespace

Ternary may_be_machine(const PodSpec& pod, const KarpenterPool& pool) {
  if (pool.machines.machines.empty()) return Ternary::unknown;
  const MachineSet left = machines_left(demands_of(pod), pool.machines);
  return left.is_closed && left.machines.empty() ? Ternary::no : Ternary::unknown;
}

void judge_machines(const PreparedPod& pod, const KarpenterPool& pool, Assessment& assessment) {
  if (pool.machines.machines.empty()) return;  // that is said of the pool
  const KarpenterRequirements demands = demands_of(*pod.spec);
  const MachineSet left = machines_left(demands, pool.machines);
  if (left.is_closed && left.machines.empty()) {
    assessment.fits = Ternary::no;
    assessment.reasons.push_back(conflict(*pod.spec, demands, pool));
    return;
  }
  std::vector<Reason> lacks = beyond_limits(pod, pool);
  if (lacks.empty() && left.is_closed) lacks = shortages_of_all(pod, pool, left.machines);
  for (Reason& reason : lacks) {
    assessment.fits = Ternary::no;
    assessment.reasons.push_back(std::move(reason));
  }
}

}  // namespace gpulint
