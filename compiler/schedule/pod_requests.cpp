#include "compiler/schedule/pod_requests.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "compiler/model/kubernetes_names.h"

namespace gpulint {
namespace {

/// The sum of one resource so far.
struct Amount {
  Quantity quantity;
  bool is_open = false;
  Node node;
  Quantity largest;  ///< The contribution that `node` makes.
};
using Amounts = std::map<std::string, Amount, std::less<>>;

void add(Amounts& sums, const std::string& name, const Amount& amount) {
  Amount& sum = sums[name];
  sum.quantity = sum.quantity + amount.quantity;
  sum.is_open = sum.is_open || amount.is_open;
  if (!sum.node || amount.largest > sum.largest) {
    sum.node = amount.node;
    sum.largest = amount.largest;
  }
}

void add(Amounts& sums, const Amounts& more) {
  for (const auto& [name, amount] : more) add(sums, name, amount);
}

void take_maximum(Amounts& sums, const Amounts& other) {
  for (const auto& [name, amount] : other) {
    const auto [at, is_new] = sums.try_emplace(name, amount);
    if (is_new) continue;
    const bool is_open = at->second.is_open || amount.is_open;
    if (amount.quantity > at->second.quantity) at->second = amount;
    at->second.is_open = is_open;
  }
}

[[nodiscard]] Amount amount_of(const ResourceEntry& entry) {
  const bool is_known = entry.amount.is_known();
  const Quantity quantity = is_known ? entry.amount.value() : Quantity{};
  return {quantity, !is_known, entry.name.node, quantity};
}

[[nodiscard]] Amounts amounts_of(const std::vector<ResourceEntry>& entries) {
  Amounts amounts;
  for (const ResourceEntry& entry : entries) amounts[entry.name.value] = amount_of(entry);
  return amounts;
}

/// Init containers run one by one, together with the sidecars started so far. Containers run all at
/// once.
[[nodiscard]] Amounts sum_containers(const PodSpec& pod) {
  Amounts total;
  Amounts sidecars;
  Amounts initial;
  for (const Container& container : pod.containers) {
    if (container.kind == ContainerKind::ephemeral) continue;
    Amounts own = amounts_of(defaulted_requests(container.resources));
    if (container.kind != ContainerKind::init) add(total, own);
    if (container.kind == ContainerKind::main) continue;
    if (container.kind == ContainerKind::sidecar) {
      add(sidecars, own);
      own = sidecars;
    } else {
      add(own, sidecars);
    }
    take_maximum(initial, own);
  }
  take_maximum(total, initial);
  return total;
}

[[nodiscard]] bool is_pod_level_resource(std::string_view name) {
  return name == "cpu" || name == "memory" || is_hugepages_resource(name);
}

[[nodiscard]] bool is_counted(std::string_view name) {
  return name == "cpu" || name == "memory" || name == "ephemeral-storage" ||
         is_scalar_resource(name);
}

}  // namespace

const PodRequest* PodRequests::find(std::string_view name) const {
  const auto found = std::ranges::lower_bound(resources, name, {}, &PodRequest::name);
  return found != resources.end() && found->name == name ? &*found : nullptr;
}

std::vector<ResourceEntry> defaulted_requests(const ResourceRequirements& resources) {
  std::vector<ResourceEntry> requests = resources.requests;
  const auto own = std::ssize(requests);
  for (const ResourceEntry& limit : resources.limits) {
    const bool is_given = std::any_of(
        requests.begin(), requests.begin() + own,
        [&](const ResourceEntry& request) { return request.name.value == limit.name.value; });
    if (!is_given) requests.push_back(limit);
  }
  return requests;
}

std::vector<AggregatedRequest> aggregate_container_requests(const PodSpec& pod) {
  std::vector<AggregatedRequest> result;
  for (const auto& [name, sum] : sum_containers(pod)) {
    result.push_back({name, sum.quantity, sum.is_open});
  }
  return result;
}

std::int64_t count_of(std::string_view resource, const Quantity& amount) {
  return resource == "cpu" ? amount.milli_value() : amount.value();
}

PodRequests compute_requests(const PodSpec& pod) {
  Amounts sums = sum_containers(pod);
  for (const ResourceEntry& entry : pod.pod_resources.requests) {
    if (is_pod_level_resource(entry.name.value)) sums[entry.name.value] = amount_of(entry);
  }
  add(sums, amounts_of(pod.overhead));
  PodRequests result;
  result.is_open = pod.pod_resources.opaque ||
                   std::ranges::any_of(pod.containers, [](const Container& container) {
                     return container.resources.opaque;
                   });
  for (const auto& [name, sum] : sums) {
    if (!is_counted(name)) continue;
    result.resources.push_back({name, count_of(name, sum.quantity), sum.is_open, sum.node});
  }
  return result;
}

}  // namespace gpulint
