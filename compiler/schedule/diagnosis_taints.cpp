#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/schedule/extended_resource_toleration.h"
#include "compiler/schedule/gpu_relation.h"
#include "compiler/schedule/pod_diagnosis.h"
#include "compiler/schedule/tolerate.h"

namespace gpulint {
namespace {

using Miss = UntoleratedTaint::Miss;

[[nodiscard]] bool may_concern(const Toleration& toleration, const Taint& taint) {
  const std::string key = toleration.key.value_or("");
  return key.empty() || key == taint.key.value_or("");
}

[[nodiscard]] bool are_alike(std::string_view a, std::string_view b) {
  const std::array<std::string_view, 1> of_a{a};
  const std::array<std::string_view, 1> of_b{b};
  return nearest(a, of_b) || nearest(b, of_a);
}

/// Whether the toleration fails to match the taint only because its key is misspelt.
[[nodiscard]] bool misses_by_key(const Toleration& toleration, const Taint& taint,
                                 const NodePool& pool) {
  if (!are_alike(toleration.key.value_or(""), taint.key.value_or(""))) return false;
  const auto is_for = [&](const Taint& other) {
    return tolerates(toleration, other) != Ternary::no;
  };
  if (std::ranges::any_of(pool.taints, is_for)) return false;
  Toleration renamed = toleration;
  renamed.key = taint.key;
  return tolerates(renamed, taint) == Ternary::yes;
}

/// The part of the taint that the toleration does not match; `none` if it is for another taint.
[[nodiscard]] Miss miss_of(const Toleration& toleration, const Taint& taint, const NodePool& pool) {
  const std::string key = toleration.key.value_or("");
  if (key.empty()) return Miss::none;
  if (key != taint.key.value_or("")) {
    return misses_by_key(toleration, taint, pool) ? Miss::key : Miss::none;
  }
  Toleration for_all_effects = toleration;
  for_all_effects.effect = {};
  return tolerates(for_all_effects, taint) == Ternary::yes ? Miss::effect : Miss::value;
}

/// The toleration that is most similar to the taint.
struct NearMiss {
  Miss miss = Miss::none;
  const Toleration* toleration = nullptr;
};

[[nodiscard]] NearMiss find_near_miss(const PodSpec& pod, const Taint& taint,
                                      const NodePool& pool) {
  NearMiss best;
  for (const Toleration& toleration : pod.tolerations) {
    const Miss miss = miss_of(toleration, taint, pool);
    if (static_cast<int>(miss) > static_cast<int>(best.miss)) best = {miss, &toleration};
  }
  return best;
}

[[nodiscard]] Node mismatched_part(const NearMiss& near) {
  const Toleration& toleration = *near.toleration;
  const auto part = [&](const Field<std::string>& field) {
    return field.is_known() && field.node() ? field.node() : toleration.node;
  };
  switch (near.miss) {
    case Miss::none:
      return {};
    case Miss::key:
      return part(toleration.key);
    case Miss::value:
      return part(toleration.value);
    case Miss::effect:
      return part(toleration.effect);
  }
  return {};
}

/// Where to report a missing toleration: the pod's list, else its request for devices, else its
/// spec.
[[nodiscard]] Node missing_place(const PreparedPod& pod) {
  if (pod.spec->tolerations_node) return pod.spec->tolerations_node;
  for (const PodRequest& request : pod.requests.resources) {
    if (request.name.find('/') != std::string::npos && request.node) return request.node;
  }
  return pod.spec->node;
}

[[nodiscard]] const Taint* find_taint(const NodePool& pool, const Reason& reason) {
  const auto found = std::ranges::find_if(
      pool.taints, [&](const Taint& taint) { return to_string(taint) == reason.detail; });
  return found == pool.taints.end() ? nullptr : &*found;
}

[[nodiscard]] bool is_hard_or_soft(const Field<std::string>& effect) {
  const std::string text = effect.value_or("");
  return text == "NoSchedule" || text == "NoExecute" || text == "PreferNoSchedule";
}

/// Whether a toleration that the API server rejects may be meant for this taint: it matches once
/// its invalid word is corrected.
[[nodiscard]] bool is_open_by_mistake(const PodSpec& pod, const Taint& taint) {
  return std::ranges::any_of(pod.tolerations, [&](const Toleration& toleration) {
    if (!is_refused(toleration) || !may_concern(toleration, taint)) return false;
    Toleration meant = toleration;
    if (!is_hard_or_soft(meant.effect)) meant.effect = {};
    const std::string op = meant.op.value_or("");
    const bool is_word = op.empty() || op == "Equal" || op == "Exists";
    if (!is_word || meant.key.value_or("").empty()) meant.op = Field<std::string>::known("Exists");
    return tolerates(meant, taint) != Ternary::no;
  });
}

/// The part of the taint that the toleration does not match.
[[nodiscard]] Node place_of(const Taint& taint, Miss miss) {
  const Field<std::string>& part = miss == Miss::effect  ? taint.effect
                                   : miss == Miss::value ? taint.value
                                                         : taint.key;
  const bool is_part = (miss == Miss::effect || miss == Miss::value) && part.is_known();
  return is_part && part.node() ? part.node() : taint.node;
}

[[nodiscard]] Cause make_cause(const PreparedPod& pod, const Candidate& candidate,
                               const Taint& taint, const std::vector<Toleration>& admitted) {
  const NearMiss near = find_near_miss(*pod.spec, taint, *candidate.known().node.pool);
  UntoleratedTaint untolerated;
  untolerated.key = taint.key.value_or("");
  untolerated.value = taint.value.value_or("");
  untolerated.effect = taint.effect.value_or("");
  untolerated.miss = near.miss;
  if (near.toleration != nullptr) untolerated.near = *near.toleration;
  untolerated.is_for_admission = tolerated(admitted, taint) == Ternary::yes;
  Cause cause{.what = {},
              .demand = near.toleration != nullptr ? mismatched_part(near) : missing_place(pod),
              .where = {},
              .other = place_of(taint, near.miss),
              .pool = &candidate.pool(),
              .workloads = {}};
  const bool is_block =
      cause.demand == pod.spec->tolerations_node || cause.demand == pod.spec->node;
  if (near.toleration == nullptr && is_block && cause.demand.key()) {
    cause.where = cause.demand.key_span();
  }
  cause.what = std::move(untolerated);
  return cause;
}

}  // namespace

std::vector<Cause> untolerated_taints(const Workload& workload, const PreparedPod& pod,
                                      const Candidates& candidates) {
  const std::vector<Toleration> admitted = admit_extended_resources(*pod.spec).tolerations;
  // Taints that the admission plugin would make the pod tolerate count less.
  const auto taints_between = [&](const Candidate* candidate) {
    const auto reasons = candidate->certain(ReasonKind::untolerated_taint);
    const auto lasting = std::ranges::count_if(reasons, [&](const Reason* reason) {
      const Taint* const taint = find_taint(*candidate->known().node.pool, *reason);
      return taint == nullptr || tolerated(admitted, *taint) != Ternary::yes;
    });
    return std::pair(lasting, reasons.size());
  };
  const auto best = std::ranges::min_element(candidates, {}, taints_between);
  if (best == candidates.end()) return {};
  std::vector<Cause> causes;
  for (const Reason* reason : (*best)->certain(ReasonKind::untolerated_taint)) {
    const Taint* const taint = find_taint(*(*best)->known().node.pool, *reason);
    if (taint == nullptr) continue;
    if (is_open_by_mistake(workload.pod, *taint)) continue;
    causes.push_back(make_cause(pod, **best, *taint, admitted));
  }
  return causes;
}

}  // namespace gpulint
