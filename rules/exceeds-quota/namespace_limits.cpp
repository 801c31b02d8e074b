#include "rules/exceeds-quota/namespace_limits.h"

#include <algorithm>
#include <array>
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

Ternary share_namespace(Node a, Node b) {
  const Field<std::string> first = read_string(a.get("metadata"), "namespace");
  const Field<std::string> second = read_string(b.get("metadata"), "namespace");
  if (first.is_known() && second.is_known()) return ternary(first.value() == second.value());
  return first.is_absent() && second.is_absent() ? Ternary::yes : Ternary::unknown;
}

NamespaceLimits read_limits(const Corpus& corpus) {
  NamespaceLimits limits;
  for (const KubernetesObject& object : corpus.objects) {
    const Node spec = object.node.get("spec");
    if (object.kind.equals("LimitRange")) limits.ranges.push_back(object.node);
    const bool is_quota = object.kind.equals("ResourceQuota") && object.api_version.equals("v1");
    if (is_quota && !spec.get("scopes") && !spec.get("scopeSelector")) {
      limits.quotas.push_back(object.node);
    }
  }
  return limits;
}

bool applies(const std::vector<Node>& all, Node one, Node object) {
  const std::string name = object_name(one);
  return share_namespace(one, object) == Ternary::yes && std::ranges::none_of(all, [&](Node other) {
           return other != one && object_name(other) == name &&
                  share_namespace(other, one) == Ternary::yes;
         });
}

bool may_be_defaulted(const NamespaceLimits& limits, Node object, std::string_view resource,
                      bool is_limit) {
  return std::ranges::any_of(limits.ranges, [&](Node range) {
    return share_namespace(range, object) != Ternary::no && gives(range, resource, is_limit);
  });
}

}  // namespace gpulint::rules::exceeds_quota
