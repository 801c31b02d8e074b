#include "compiler/schedule/karpenter/machine_fit.h"

#include <algorithm>
#include <optional>
#include <vector>

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

/// The label of which no machine of the pool has what the pod demands.
[[nodiscard]] Reason conflict(const PodSpec& pod, const KarpenterPool& pool) {
  Reason reason{.kind = ReasonKind::node_affinity,
                .holds = Ternary::yes,
                .detail = "no-instance-type",
                .workload_node = pod.node_affinity.node,
                .pool_node = machines_node(pool)};
  for (const LabelEntry& entry : pod.node_selector) {
    KarpenterRequirements one;
    one.add(entry);
    if (!machines_left(one, pool.machines).machines.empty()) continue;
    reason.kind = ReasonKind::node_selector;
    reason.workload_node = entry.key.node;
    break;
  }
  return reason;
}

/// What the machines have too little of.
[[nodiscard]] std::vector<Reason> shortages(const PreparedPod& pod, const KarpenterPool& pool,
                                            const std::vector<const Machine*>& machines) {
  std::vector<Reason> reasons;
  for (const PodRequest& request : pod.requests.resources) {
    const auto most = most_of(machines, request.name, pool.may_share_devices);
    if (most && request.amount > *most) reasons.push_back(shortage(request, *most, pool));
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
  const MachineSet left = machines_left(demands_of(*pod.spec), pool.machines);
  if (!left.is_closed) return;
  if (left.machines.empty()) {
    assessment.fits = Ternary::no;
    assessment.reasons.push_back(conflict(*pod.spec, pool));
    return;
  }
  for (Reason& reason : shortages_of_all(pod, pool, left.machines)) {
    assessment.fits = Ternary::no;
    assessment.reasons.push_back(std::move(reason));
  }
}

}  // namespace gpulint
