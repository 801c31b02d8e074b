#include "rules/exceeds-quota/namespace_limits.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include "compiler/ir/read.h"

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

bool may_be_defaulted(const NamespaceLimits& limits, Node object, std::string_view resource,
                      bool is_limit) {
  return std::ranges::any_of(limits.ranges.maybe_of(object),
                             [&](Node range) { return gives(range, resource, is_limit); });
}

}  // namespace gpulint::rules::exceeds_quota
