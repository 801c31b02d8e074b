#include "compiler/schedule/karpenter_machine_fit.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/model/pools/pool_facts.h"
#include "compiler/model/read_pod.h"
#include "compiler/schedule/pool_machines.h"

namespace gpulint {
namespace {

/// The label requirements that every form of the pod has.
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

[[nodiscard]] std::vector<ResourceEntry> limits_of(const KarpenterPool& pool) {
  const Node limits = pool.object.at("spec", "limits");
  return read_resource_list(pool.is_provisioner() ? limits.get("resources") : limits);
}

/// The requests beyond the limits of the whole pool. Karpenter leaves out machines that would
/// exceed a limit (pkg/controllers/provisioning/scheduling, filterByRemainingResources). Not a
/// limit of zero, which closes a pool on purpose.
[[nodiscard]] std::vector<Reason> beyond_limits(const PreparedPod& pod, const KarpenterPool& pool) {
  std::vector<Reason> reasons;
  for (const ResourceEntry& limit : limits_of(pool)) {
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

/// The required label that no machine of the pool meets, else one without which some machine would
/// do; empty if there is none.
[[nodiscard]] std::string_view unmet_label(const KarpenterRequirements& demands,
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

/// The reason that none of the pool's machines has the labels that the pod requires.
[[nodiscard]] Reason conflict(const PodSpec& pod, const KarpenterRequirements& demands,
                              const KarpenterPool& pool) {
  const std::string_view key = unmet_label(demands, pool);
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

/// Adds a reason if the DaemonSets use up the pods that a node can run.
void add_pod_limit(const PreparedPod& pod, const PreparedNode& node, std::vector<Reason>& reasons) {
  const NodeResource* const pods = node.find_resource("pods");
  if (pods == nullptr || pods->is_open) return;
  const Reservation* const reserved = find_reserved(node, pod, "pods");
  const std::int64_t left = left_after(reserved, pods->amount);
  if (left >= 1) return;
  reasons.push_back({.kind = ReasonKind::insufficient_resource,
                     .detail = "pods",
                     .workload_node = {},
                     .pool_node = pods->node,
                     .requested = 1,
                     .offered = left,
                     .remark = reserved_text(reserved)});
}

/// The part of a machine's memory that Karpenter expects nodes to have.
enum class Memory : std::uint8_t { whole, expected };

[[nodiscard]] std::int64_t expected_memory(std::int64_t bytes) {
  const std::int64_t mebibytes = bytes >> 20U;
  return (mebibytes - (mebibytes * 75 + 999) / 1000) << 20U;
}

/// The resources that no machine has enough of.
[[nodiscard]] std::vector<Reason> shortages(const PreparedPod& pod, const PreparedNode& node,
                                            const KarpenterPool& pool,
                                            const std::vector<const Machine*>& machines,
                                            Memory memory) {
  std::vector<Reason> reasons;
  for (const PodRequest& request : pod.requests.resources) {
    auto most = most_of(machines, request.name, pool.may_share_devices);
    if (!most) continue;
    const Reservation* const reserved = find_reserved(node, pod, request.name);
    // Users who size a pod for a whole machine may also have set `vmMemoryOverheadPercent`.
    const bool is_reduced =
        memory == Memory::expected && request.name == "memory" && reserved != nullptr;
    if (is_reduced) most = expected_memory(*most);
    const std::int64_t left = left_after(reserved, left_for_pods(request.name, *most));
    if (request.amount <= left) continue;
    Reason& reason = reasons.emplace_back(shortage(request, left, pool));
    reason.remark = reserved_text(reserved);
    if (is_reduced)
      reason.remark += ", and after Karpenter's overhead (`vmMemoryOverheadPercent`: 7.5%)";
  }
  return reasons;
}

/// If each machine has too little of some resource: those that none has enough of, else those of
/// the nearest machine. Empty if a machine may run the pod.
[[nodiscard]] std::vector<Reason> shortages_of_all(const PreparedPod& pod, const PreparedNode& node,
                                                   const KarpenterPool& pool,
                                                   const std::vector<const Machine*>& machines,
                                                   Memory memory) {
  std::optional<std::vector<Reason>> nearest;
  for (const Machine* machine : machines) {
    std::vector<Reason> lacks = shortages(pod, node, pool, {machine}, memory);
    if (lacks.empty()) return {};
    if (!nearest || lacks.size() < nearest->size()) nearest = std::move(lacks);
  }
  std::vector<Reason> common = shortages(pod, node, pool, machines, memory);
  if (!common.empty()) return common;
  return nearest ? std::move(*nearest) : std::vector<Reason>{};
}

}  // namespace

Ternary may_be_machine(const PodSpec& pod, const KarpenterPool& pool) {
  if (pool.machines.machines.empty()) return Ternary::unknown;
  const MachineSet left = machines_left(demands_of(pod), pool.machines);
  return left.is_closed && left.machines.empty() ? Ternary::no : Ternary::unknown;
}

void check_machines(const PreparedPod& pod, const PreparedNode& node, const KarpenterPool& pool,
                    Assessment& assessment) {
  if (pool.machines.machines.empty()) return;  // a flaw of the pool, reported there
  const KarpenterRequirements demands = demands_of(*pod.spec);
  const MachineSet left = machines_left(demands, pool.machines);
  if (left.is_closed && left.machines.empty()) {
    assessment.fits = Ternary::no;
    assessment.reasons.push_back(conflict(*pod.spec, demands, pool));
    return;
  }
  std::vector<Reason> lacks = beyond_limits(pod, pool);
  add_pod_limit(pod, node, lacks);
  if (lacks.empty() && left.is_closed) {
    lacks = shortages_of_all(pod, node, pool, left.machines, Memory::whole);
  }
  for (Reason& reason : lacks) {
    assessment.fits = Ternary::no;
    assessment.reasons.push_back(std::move(reason));
  }
  const bool is_reduced =
      pool.provider == KarpenterProvider::aws && find_reserved(node, pod, "memory") != nullptr;
  if (assessment.fits == Ternary::no || !left.is_closed || !is_reduced) return;
  for (Reason& reason : shortages_of_all(pod, node, pool, left.machines, Memory::expected)) {
    reason.holds = Ternary::unknown;
    reason.is_assumed = true;
    assessment.reasons.push_back(std::move(reason));
  }
}

namespace {

/// The values of a label on the pool's nodes; nullopt if there may be others.
[[nodiscard]] std::optional<std::set<std::string, std::less<>>> values_on_nodes(
    const KarpenterPool& pool, std::string_view key) {
  const KarpenterRequirement* const stated = pool.requirements.find(key);
  const bool is_listed = stated != nullptr && !stated->is_open() && !stated->is_complement();
  if (is_listed) return stated->values();
  if (!pool.machines.is_closed) return std::nullopt;
  const auto values = values_of(pool.machines.machines, key);
  if (!values) return std::nullopt;
  return std::set<std::string, std::less<>>(values->begin(), values->end());
}

[[nodiscard]] bool has_enough(const Machine& machine, const PodRequests& requests) {
  return std::ranges::all_of(requests.resources, [&](const PodRequest& request) {
    const auto most = machine.most(request.name);
    return !most || request.amount <= left_for_pods(request.name, *most);
  });
}

}  // namespace

bool selects_all_nodes(const PodSpec& pod, const KarpenterPool& pool) {
  const KarpenterRequirements demands = demands_of(pod);
  const bool is_open = pod.node_selector_opaque || pod.affinity_opaque || demands.is_open() ||
                       pod.node_affinity.required.size() > 1;
  return !is_open && std::ranges::all_of(demands.by_key(), [&](const auto& entry) {
    const auto& [key, demand] = entry;
    const bool is_absent =
        pool.requirements.find(key) == nullptr && !is_karpenter_well_known(key, pool.provider);
    if (is_absent) return demand.allows_absence();
    const auto values = values_on_nodes(pool, key);
    return values && std::ranges::all_of(*values, [&](const std::string& value) {
             return value.empty() ? demand.allows_absence() : demand.allows(value);
           });
  });
}

std::vector<LowLimit> find_low_limits(const KarpenterPool& pool, const MachineSet& machines) {
  std::vector<LowLimit> low;
  if (!machines.is_closed || machines.machines.empty()) return low;
  for (ResourceEntry& limit : limits_of(pool)) {
    const std::string& resource = limit.name.value;
    if (!limit.amount.is_known()) continue;
    const std::int64_t most = count_of(resource, limit.amount.value());
    std::optional<std::int64_t> least;
    bool is_known = most > 0;
    for (const Machine* machine : machines.machines) {
      auto amount = machine->most(resource);
      is_known = is_known && amount;
      if (!is_known) break;
      if (resource == "memory") amount = expected_memory(*amount);
      least = std::min(least.value_or(*amount), *amount);
    }
    if (is_known && most < *least) low.push_back({std::move(limit), *least});
  }
  return low;
}

std::optional<Exclusion> find_exclusion(const PodSpec& pod, const NodePool& pool) {
  if (pool.karpenter == nullptr) return std::nullopt;
  const KarpenterPool& karpenter = *pool.karpenter;
  const PodRequests requests = compute_requests(pod);
  const KarpenterRequirements demands = demands_of(pod);
  const std::vector<const Machine*> present = machines_left(karpenter.requirements).machines;
  for (auto at = karpenter.stated.rbegin(); at != karpenter.stated.rend(); ++at) {
    MachineSet left = machines_left(demands, machines_left(requirements_without(karpenter, *at)));
    if (!left.is_closed || !at->node) continue;
    std::erase_if(left.machines, [&](const Machine* machine) {
      return !has_enough(*machine, requests) ||
             std::ranges::find(present, machine) != present.end();
    });
    if (left.machines.empty()) continue;
    const bool has_value = !at->values.empty() && at->values.front().node();
    return Exclusion{has_value ? at->values.front().node() : at->node, at->key.value_or(""),
                     describe(left.machines, pool.machine_types)};
  }
  return std::nullopt;
}

}  // namespace gpulint
