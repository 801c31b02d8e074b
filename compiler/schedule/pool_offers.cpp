#include "compiler/schedule/pool_offers.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/model/pools/karpenter_pool.h"
#include "compiler/schedule/pool_accelerators.h"
#include "compiler/schedule/pool_machines.h"

namespace gpulint {
namespace {

/// The first machine type of the pool that is not in the table; null if all are.
[[nodiscard]] const Value<std::string>* find_unknown_type(const NodePool& pool) {
  const auto found = std::ranges::find_if(pool.machine_types, [](const Value<std::string>& type) {
    return find_machine(type.value) == nullptr;
  });
  return found == pool.machine_types.end() ? nullptr : &*found;
}

[[nodiscard]] std::string why_machines_are_open(const NodePool& pool) {
  if (pool.karpenter != nullptr && pool.machine_types.empty()) {
    return "its requirements do not limit it to known machine types";
  }
  if (pool.machine_types.empty()) return "no machine type is declared";
  const Value<std::string>* const unknown = find_unknown_type(pool);
  return unknown == nullptr
             ? "no machine meets its requirements"
             : fmt::format("the machine type `{}` is unknown to gpulint", unknown->value);
}

void add_offers(const std::vector<const Machine*>& machines, PoolOffers& offers) {
  std::vector<std::string_view> resources{"cpu", "memory"};
  for (const Machine* machine : machines) {
    for (const MachineAccelerator& accelerator : machine->accelerators) {
      resources.push_back(accelerator.resource);
    }
  }
  for (const std::string_view resource : resources) {
    std::optional<std::int64_t> most = 0;
    for (const Machine* machine : machines) {
      const auto amount = machine->most(resource);
      most = most && amount ? std::optional(std::max(*most, *amount)) : std::nullopt;
    }
    if (most) offers.most[std::string(resource)] = resource == "cpu" ? *most / 1000 : *most;
  }
}

}  // namespace

PoolOffers offers_of(const NodePool& pool) {
  PoolOffers offers;
  if (pool.source == NodePool::Source::node || pool.source == NodePool::Source::kubelet) {
    return offers;
  }
  offers.size = largest_size(pool);
  offers.limits = karpenter_limits(pool);
  if (pool.source == NodePool::Source::gpulint_config && pool.machine_types.empty()) return offers;
  auto machines = known_machines(pool);
  if (!machines) {
    const bool is_stated =
        std::ranges::any_of(pool.provider_resources,
                            [](const ResourceEntry& entry) { return entry.amount.is_known(); });
    if (is_stated || has_accelerators(pool) == Ternary::no) return offers;
    offers.open = why_machines_are_open(pool);
    return offers;
  }
  offers.machines = std::move(*machines);
  add_offers(offers.machines, offers);
  const bool has_devices = std::ranges::any_of(
      offers.machines, [](const Machine* m) { return !m->accelerators.empty(); });
  if (has_devices && may_share_devices(pool)) {
    offers.open = "its GPUs are shared or partitioned, so its nodes may offer more devices";
  } else if (std::ranges::any_of(offers.machines, [](const Machine* m) { return m->is_open; })) {
    offers.open = "the resource name of its accelerators is unknown";
  }
  return offers;
}

}  // namespace gpulint
