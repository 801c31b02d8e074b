#include "compiler/why/demand_origin.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/generate/trial.h"
#include "compiler/ir/json_pointer.h"

namespace gpulint::why {
namespace {

constexpr std::string_view terms_pointer =
    "/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms";

[[nodiscard]] const flyte::Origin* find_origin(const flyte::CompiledPod& pod,
                                               std::string_view pointer) {
  const auto at = std::ranges::find(pod.origins, pointer, &flyte::Origin::pointer);
  return at == pod.origins.end() ? nullptr : &*at;
}

/// The expression of the affinity that demands the label.
[[nodiscard]] const flyte::Origin* find_expression(const flyte::CompiledPod& pod,
                                                   const Term& term) {
  const std::vector<SelectorTerm>& terms = pod.workload.pod.node_affinity.required;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    for (std::size_t j = 0; j < terms[i].expressions.size(); ++j) {
      const SelectorRequirement& expression = terms[i].expressions[j];
      if (!expression.key.equals(term.key) || !expression.op.equals(term.op)) continue;
      return find_origin(pod, fmt::format("{}/{}/matchExpressions/{}", terms_pointer, i, j));
    }
  }
  return nullptr;
}

[[nodiscard]] const flyte::Origin* find_origin(const flyte::CompiledPod& pod, const Term& term) {
  const std::string segment = escape_pointer_segment(term.key);
  switch (term.kind) {
    case ReasonKind::insufficient_resource: {
      const flyte::Origin* const request =
          find_origin(pod, "/containers/0/resources/requests/" + segment);
      return request != nullptr ? request
                                : find_origin(pod, "/containers/0/resources/limits/" + segment);
    }
    case ReasonKind::node_affinity:
    case ReasonKind::node_affinity_error:
      return find_expression(pod, term);
    case ReasonKind::node_selector:
      return find_origin(pod, "/nodeSelector/" + segment);
    case ReasonKind::unschedulable:
    case ReasonKind::untolerated_taint:
    case ReasonKind::unallocated_claims:
      return nullptr;
  }
  return nullptr;
}

[[nodiscard]] bool is_label_setting(std::string_view key) {
  return key.ends_with("device-node-label") || key.ends_with("partition-size-node-label");
}

}  // namespace

Origin origin_of(const Term& term, const Subject& subject) {
  Origin origin;
  origin.node = term.demanded;
  if (subject.pod == nullptr) return origin;
  const flyte::Origin* const found = find_origin(*subject.pod, term);
  if (found == nullptr) {
    const bool has_gpu = !generate::gpu_resource_of(subject.prepared()).empty();
    origin.key = has_gpu ? "plugins.k8s.resource-tolerations" : "plugins.k8s.default-tolerations";
    origin.kind = origin.node ? Origin::Kind::configuration : Origin::Kind::flyte_default;
    return origin;
  }
  origin.node = found->node;
  origin.key = found->key;
  origin.kind = found->key.starts_with("task.") ? Origin::Kind::task
                : found->node                   ? Origin::Kind::configuration
                                                : Origin::Kind::flyte_default;
  origin.is_value_of_accelerator = is_label_setting(found->key);
  return origin;
}

}  // namespace gpulint::why
