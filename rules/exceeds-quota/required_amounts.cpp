#include "rules/exceeds-quota/required_amounts.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/objects.h"
#include "rules/support/causes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::exceeds_quota {
namespace {

/// An item of a quota that each container must set something for.
struct RequiredItem {
  std::string_view item;
  std::string_view resource;
  bool is_limit = false;
};
constexpr auto required_items = std::to_array<RequiredItem>({{"cpu", "cpu"},
                                                             {"memory", "memory"},
                                                             {"requests.cpu", "cpu"},
                                                             {"requests.memory", "memory"},
                                                             {"limits.cpu", "cpu", true},
                                                             {"limits.memory", "memory", true}});

[[nodiscard]] bool names(const std::vector<ResourceEntry>& entries, std::string_view resource) {
  return std::ranges::any_of(
      entries, [&](const ResourceEntry& entry) { return entry.name.value == resource; });
}

[[nodiscard]] bool sets(const Container& container, const RequiredItem& item) {
  const ResourceRequirements& resources = container.resources;
  return names(resources.limits, item.resource) ||
         (!item.is_limit && names(resources.requests, item.resource));
}

[[nodiscard]] bool is_open(const Container& container) {
  return container.resources.opaque || container.kind == ContainerKind::ephemeral ||
         any_below(container.resources.node, [](Node at) { return at.is_opaque(); });
}

}  // namespace

void check_required(Reporter& reporter, const Workload& workload, const NamespaceLimits& limits,
                    Node quota) {
  if (!has_plain_pods(workload) || workload.pod.pod_resources.node) return;
  const Node hard = quota.at("spec", "hard");
  for (const Container& container : workload.pod.containers) {
    if (is_open(container)) continue;
    std::vector<std::string> missing;
    Node demand;
    for (const RequiredItem& item : required_items) {
      const Node amount = hard.get(item.item);
      const bool is_missing =
          amount && !sets(container, item) &&
          !may_be_defaulted(limits, workload.object, item.resource, item.is_limit);
      if (!is_missing) continue;
      missing.emplace_back(item.item);
      if (!demand) demand = amount.key();
    }
    if (missing.empty()) continue;
    const Node resources = container.resources.node;
    const Node name = container.name.is_known() ? container.name.node() : container.node;
    reporter
        .report_key(resources ? resources : name,
                    "{} of {} sets nothing for {}, which quota `{}` counts", describe(container),
                    describe(workload), list(missing), object_name(quota))
        .related(demand, "each container of the namespace must set it")
        .help(
            "the API server refuses such pods: set it, or let a LimitRange of the namespace give "
            "defaults")
        .severity(Severity::warning);  // such a LimitRange may stand elsewhere
    return;
  }
}

}  // namespace gpulint::rules::exceeds_quota
