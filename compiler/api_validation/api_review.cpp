#include "compiler/api_validation/api_review.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/api_validation/api_validation.h"
#include "compiler/base/parallel.h"
#include "compiler/base/text.h"
#include "compiler/schedule/gpu_relation.h"

namespace gpulint {
namespace {

[[nodiscard]] bool mentions_gpu(std::string_view text) {
  const std::string folded = to_lower(text);
  return folded.find("gpu") != std::string::npos || folded.find("nvidia") != std::string::npos ||
         folded.find("accelerator") != std::string::npos;
}

/// Whether scalars of an object mention GPUs. Aliases are followed, each anchor once.
class GpuMentions {
 public:
  [[nodiscard]] bool any_in(Node node) {
    return any_below(node, [&](Node inner) {
      if (inner.is_alias()) return any_in_anchored(inner.resolved());
      return inner.is_scalar() && mentions_gpu(inner.text());
    });
  }

 private:
  [[nodiscard]] bool any_in_anchored(Node node) {
    constexpr std::size_t deepest = 32;  // anchors within anchors
    const auto [at, is_new] = anchored_.try_emplace(node.index(), false);
    if (is_new && depth_ < deepest) {
      ++depth_;
      at->second = any_in(node);
      --depth_;
    }
    return at->second;
  }

  std::map<NodeIndex, bool> anchored_;
  std::size_t depth_ = 0;
};

/// The list item or mapping around the problem that forms one unit: one term. For a toleration the
/// whole list, because one bad toleration makes the server reject the whole pod. An alias may bring
/// the toleration from elsewhere. `workload`: whose pod has the problem; may be null.
[[nodiscard]] Node surroundings(const ApiProblem& problem, const Workload* workload) {
  const Node node = problem.node;
  const bool is_toleration = problem.path.find("tolerations[") != std::string::npos;
  if (is_toleration && workload != nullptr && workload->pod.tolerations_node) {
    return workload->pod.tolerations_node;
  }
  return node.is_scalar() && node.parent() ? node.parent() : node;
}

/// Devices are counted in whole numbers and are never overcommitted, whatever the vendor.
[[nodiscard]] bool is_about_device(const ApiProblem& problem) {
  const bool is_amount = problem.issue == ApiIssue::resource_unlike_limit ||
                         problem.issue == ApiIssue::resource_limit_missing ||
                         problem.issue == ApiIssue::resource_fraction;
  return is_amount && problem.node.key().text().find('/') != std::string_view::npos;
}

using Workloads = std::vector<const Workload*>;

[[nodiscard]] bool concerns_gpus(const Workload& workload) {
  return may_request_gpu(workload.pod) || gpu_relation(workload.pod) != GpuRelation::none;
}

[[nodiscard]] bool concerns_gpus(const Workloads& workloads) {
  return std::ranges::any_of(workloads,
                             [](const Workload* workload) { return concerns_gpus(*workload); });
}

/// What pods that concern GPUs are compared with.
struct ComparedObjects {
  bool nodes = false;
  std::set<std::string> runtime_classes;  ///< By name.
  friend bool operator==(const ComparedObjects&, const ComparedObjects&) = default;
};

[[nodiscard]] ComparedObjects find_compared(const ScopeModel& model) {
  ComparedObjects compared;
  for (const auto* workloads : {&model.workloads, &model.compiled}) {
    for (const Workload& workload : *workloads) {
      if (!concerns_gpus(workload)) continue;
      compared.nodes = true;
      const Field<std::string>& name = workload.pod.runtime_class_name;
      if (name.is_known()) compared.runtime_classes.insert(name.value());
    }
  }
  return compared;
}

/// A Node with GPUs by its labels, taints or resources, a RuntimeClass for them, a quota of them,
/// and what pods are compared with.
[[nodiscard]] bool concerns_gpus(const KubernetesObject& object, const ComparedObjects& compared) {
  const std::string kind = object.kind.value_or("");
  const Node node = object.node;
  GpuMentions mentions;
  if (kind == "RuntimeClass") {
    return compared.runtime_classes.contains(object_name(node)) || mentions.any_in(node);
  }
  if (kind == "ResourceQuota") return mentions.any_in(node.at("spec", "hard"));
  if (kind != "Node") return false;
  return compared.nodes || mentions.any_in(node.at("metadata", "labels")) ||
         mentions.any_in(node.at("spec", "taints")) ||
         mentions.any_in(node.at("status", "capacity")) ||
         mentions.any_in(node.at("status", "allocatable"));
}

using ObjectKey = std::pair<const Document*, NodeIndex>;

[[nodiscard]] ObjectKey key_of(Node object) { return {object.document(), object.index()}; }

/// The pods of each object of a model, in order.
class PodsOfObjects {
 public:
  explicit PodsOfObjects(const ScopeModel& model) {
    for (const Workload& workload : model.workloads) {
      found_[key_of(workload.object)].push_back(&workload);
    }
  }

  [[nodiscard]] const Workloads& of(const KubernetesObject& object) const {
    const auto at = found_.find(key_of(object.node));
    return at == found_.end() ? none_ : at->second;
  }

 private:
  std::map<ObjectKey, Workloads> found_;
  Workloads none_;
};

[[nodiscard]] std::vector<ApiFinding> validate(const KubernetesObject& object,
                                               const Workloads& workloads,
                                               const ComparedObjects& compared) {
  std::vector<ApiFinding> findings;
  const bool about_gpus = concerns_gpus(workloads) || concerns_gpus(object, compared);
  GpuMentions mentions;
  Node around;  // of the last problem: a mapping with many is read once
  bool is_around_gpus = false;
  const auto keep = [&](std::vector<ApiProblem> problems, const Workload* workload) {
    for (ApiProblem& problem : problems) {
      if (!about_gpus && surroundings(problem, workload) != around) {
        around = surroundings(problem, workload);
        is_around_gpus = mentions.any_in(around);
      }
      if (!about_gpus && !is_around_gpus && !is_about_device(problem)) continue;
      findings.push_back({std::move(problem), workload});
    }
  };
  if (is_validated(object)) {
    const Workload* const first = workloads.empty() ? nullptr : workloads.front();
    keep(first == nullptr ? validate_object(object) : validate_workload(*first, "spec"), first);
    return findings;
  }
  for (const Workload* workload : workloads) {
    if (workload->origin != Workload::Origin::manifest) continue;
    keep(validate_pod_template(workload->pod, "spec"), workload);
  }
  return findings;
}

/// Whether the problem remains whatever the base contains: lists of tolerations and of node
/// selector terms are replaced as a whole, and no patch changes the type of a value that it writes.
[[nodiscard]] bool is_certain_in_part(const ApiProblem& problem) {
  const auto is_below = [&](std::string_view list) {
    return problem.path.find(list) != std::string::npos;
  };
  return problem.issue == ApiIssue::wrong_type || is_below(".tolerations[") ||
         is_below("nodeSelectorTerms[") || is_below(".nodeSelector");
}

[[nodiscard]] std::vector<ApiProblem> validate_fragment(const Workload& fragment) {
  if (fragment.origin == Workload::Origin::values) return validate_values_part(fragment.pod);
  std::vector<ApiProblem> problems = validate_pod_template(fragment.pod, "spec");
  std::erase_if(problems, [](const ApiProblem& p) { return !is_certain_in_part(p); });
  return problems;
}

/// The problems of the parts of pods that patches and values write.
[[nodiscard]] std::vector<ApiFinding> validate_fragments(const ScopeModel& model) {
  std::vector<ApiFinding> findings;
  for (const Workload& fragment : model.fragments) {
    GpuMentions mentions;
    const bool about_gpus = may_request_gpu(fragment.pod);
    for (ApiProblem& problem : validate_fragment(fragment)) {
      if (!about_gpus && !mentions.any_in(surroundings(problem, &fragment))) continue;
      findings.push_back({std::move(problem), &fragment});
    }
  }
  return findings;
}

/// The problems found when the model was read before.
class EarlierReview {
 public:
  explicit EarlierReview(const ReviewedModel& reviewed)
      : review_(reviewed.review), pods_(*reviewed.model) {
    const ScopeModel& model = *reviewed.model;
    for (std::size_t i = 0; i < model.objects.size(); ++i) {
      index_.emplace(key_of(model.objects[i].node), i);
    }
  }

  /// The problems of the same object, whose pods are now `workloads`; nullopt if it was not there.
  [[nodiscard]] std::optional<std::vector<ApiFinding>> find(const KubernetesObject& object,
                                                            const Workloads& workloads) const {
    const auto at = index_.find(key_of(object.node));
    if (at == index_.end()) return std::nullopt;
    const Workloads& before = pods_.of(object);
    std::vector<ApiFinding> findings = review_->by_object[at->second];
    for (ApiFinding& finding : findings) {
      if (finding.workload == nullptr) continue;
      finding.workload = workloads[static_cast<std::size_t>(
          std::ranges::find(before, finding.workload) - before.begin())];
    }
    return findings;
  }

 private:
  const ApiReview* review_;
  PodsOfObjects pods_;
  std::map<ObjectKey, std::size_t> index_;
};

}  // namespace

ApiReview review_objects(const ScopeModel& model, unsigned jobs, const ReviewedModel& before) {
  const PodsOfObjects pods(model);
  const ComparedObjects compared = find_compared(model);
  const bool is_alike = before.model != nullptr && find_compared(*before.model) == compared;
  std::optional<EarlierReview> earlier;
  if (is_alike) earlier.emplace(before);
  ApiReview review{parallel_map(model.objects.size(), jobs, [&](std::size_t i) {
    const KubernetesObject& object = model.objects[i];
    const Workloads& workloads = pods.of(object);
    auto known = earlier ? earlier->find(object, workloads) : std::nullopt;
    return known ? std::move(*known) : validate(object, workloads, compared);
  })};
  review.by_object.push_back(validate_fragments(model));
  return review;
}

}  // namespace gpulint
