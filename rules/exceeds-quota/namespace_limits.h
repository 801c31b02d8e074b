#pragma once

#include <string_view>
#include <vector>

#include "compiler/model/corpus.h"
#include "compiler/schedule/ternary.h"

namespace gpulint::rules::exceeds_quota {

/// Whether two objects stand in one namespace. Where neither states one they are applied together;
/// where one does it is open.
[[nodiscard]] Ternary share_namespace(Node a, Node b);

/// The ResourceQuotas and LimitRanges of a scope.
struct NamespaceLimits {
  std::vector<Node> quotas;  ///< Those that count all pods: without scopes.
  std::vector<Node> ranges;
};
[[nodiscard]] NamespaceLimits read_limits(const Corpus& corpus);

/// Whether one of the quotas, or ranges, certainly is of the object's namespace. Not where another
/// has the same name there: they are of two clusters, or of namespaces that are said when they are
/// applied.
[[nodiscard]] bool applies(const std::vector<Node>& all, Node one, Node object);

/// Whether a LimitRange that may be of the object's namespace gives containers a value of `cpu` or
/// `memory` that they do not set. What it says of itself counts as Kubernetes' defaulting reads it:
/// `default` of limits is `max` where absent, `defaultRequest` is `default` or else `min`
/// (pkg/apis/core/v1/defaults.go, SetDefaults_LimitRangeItem).
[[nodiscard]] bool may_be_defaulted(const NamespaceLimits& limits, Node object,
                                    std::string_view resource, bool is_limit);

}  // namespace gpulint::rules::exceeds_quota
