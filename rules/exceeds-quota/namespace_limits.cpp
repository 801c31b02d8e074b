#include "rules/exceeds-quota/namespace_limits.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/read.h"
#include "compiler/model/objects.h"
#include "rules/support/causes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::exceeds_quota {
namespace {

[[nodiscard]] bool gives(Node range, std::string_view resource, bool is_limit) {
  constexpr auto sources =
      std::to_array<std::string_view>({"default", "max", "defaultRequest", "min"});
  const auto used = is_limit ? std::size_t{2} : sources.size();
  const Node items = range.at("spec", "limits");
  if (!items.is_sequence() || any_below(items, [](Node at) { return at.is_opaque(); })) return true;
  for (const Node item : items.items()) {
    if (item.get("type").text() != "Container") continue;
    for (std::size_t i = 0; i < used; ++i) {
      if (item.at(sources.at(i), resource)) return true;
    }
  }
  return false;
}

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

/// Whether a LimitRange that may be of the object's namespace gives containers a value of `cpu` or
/// `memory` that they do not set. What it says of itself counts as Kubernetes' defaulting reads it:
/// `default` of limits is `max` where absent, `defaultRequest` is `default` or else `min`
/// (pkg/apis/core/v1/defaults.go, SetDefaults_LimitRangeItem).
[[nodiscard]] bool may_be_defaulted(const NamespaceLimits& limits, Node object,
                                    std::string_view resource, bool is_limit) {
  return std::ranges::any_of(limits.ranges.maybe_of(object),
                             [&](Node range) { return gives(range, resource, is_limit); });
}

}  // namespace

NamespaceLimits read_limits(const Corpus& corpus) {
  NamespaceLimits limits;
  for (const KubernetesObject& object : corpus.objects) {
    const Node spec = object.node.get("spec");
    if (object.kind.equals("LimitRange")) limits.ranges.add(object.node);
    const bool is_quota = object.kind.equals("ResourceQuota") && object.api_version.equals("v1");
    if (is_quota && !spec.get("scopes") && !spec.get("scopeSelector")) {
      limits.quotas.add(object.node);
    }
  }
  return limits;
}

void LimitObjects::add(Node object) {
  all_.push_back(object);
  const Field<std::string> home = read_string(object.get("metadata"), "namespace");
  if (!home.is_known()) open_.push_back(object);
  if (!home.is_known() && !home.is_absent()) return;
  const auto key = home.is_known() ? std::optional(home.value()) : std::nullopt;
  by_namespace_[key].push_back(object);
  by_name_[key].emplace(object_name(object), object);
}

std::vector<Node> LimitObjects::of(Node object) const {
  const Field<std::string> home = read_string(object.get("metadata"), "namespace");
  if (!home.is_known() && !home.is_absent()) return {};
  const auto key = home.is_known() ? std::optional(home.value()) : std::nullopt;
  const auto found = by_namespace_.find(key);
  if (found == by_namespace_.end()) return {};
  const Names& names = by_name_.at(key);
  std::vector<Node> certain;
  std::ranges::copy_if(found->second, std::back_inserter(certain),
                       [&](Node one) { return names.count(object_name(one)) == 1; });
  return certain;
}

std::vector<Node> LimitObjects::maybe_of(Node object) const {
  const Field<std::string> home = read_string(object.get("metadata"), "namespace");
  if (!home.is_known()) return all_;
  std::vector<Node> found = open_;
  const auto own = by_namespace_.find(home.value());
  if (own != by_namespace_.end()) std::ranges::copy(own->second, std::back_inserter(found));
  return found;
}

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
