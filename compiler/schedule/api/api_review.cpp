#include "compiler/schedule/api/api_review.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/base/parallel.h"
#include "compiler/base/text.h"
#include "compiler/schedule/api/api_validation.h"
#include "compiler/schedule/gpu_concern.h"

namespace gpulint {
namespace {

[[nodiscard]] bool mentions_gpu(std::string_view text) {
  const std::string folded = to_lower(text);
  return folded.find("gpu") != std::string::npos || folded.find("nvidia") != std::string::npos ||
         folded.find("accelerator") != std::string::npos;
}

[[nodiscard]] bool any_scalar_mentions_gpu(Node node) {
  return any_below(node,
                   [](Node inner) { return inner.is_scalar() && mentions_gpu(inner.text()); });
}

/// A list item or mapping around the problem that stands for itself: one toleration, one term.
[[nodiscard]] Node surroundings(Node node) {
  return node.is_scalar() && node.parent() ? node.parent() : node;
}

[[nodiscard]] bool concerns_gpus(const std::vector<const Workload*>& workloads) {
  return std::ranges::any_of(
      workloads, [](const Workload* workload) { return may_request_gpu(workload->pod); });
}

using WorkloadsByObject =
    std::map<std::pair<const Document*, NodeIndex>, std::vector<const Workload*>>;

[[nodiscard]] WorkloadsByObject by_object(const Corpus& corpus) {
  WorkloadsByObject found;
  for (const Workload& workload : corpus.workloads) {
    found[{workload.object.document(), workload.object.index()}].push_back(&workload);
  }
  return found;
}

[[nodiscard]] std::vector<ApiFinding> validate(const KubernetesObject& object,
                                               const std::vector<const Workload*>& workloads) {
  std::vector<ApiFinding> findings;
  const bool about_gpus = concerns_gpus(workloads);
  Node around;  // of the last problem: a mapping with many is read once
  bool is_around_gpus = false;
  const auto keep = [&](std::vector<ApiProblem> problems, const Workload* workload) {
    for (ApiProblem& problem : problems) {
      if (!about_gpus && surroundings(problem.node) != around) {
        around = surroundings(problem.node);
        is_around_gpus = any_scalar_mentions_gpu(around);
      }
      if (!about_gpus && !is_around_gpus) continue;
      findings.push_back({std::move(problem), workload});
    }
  };
  if (is_judged(object)) {
    keep(validate_object(object), workloads.empty() ? nullptr : workloads.front());
    return findings;
  }
  for (const Workload* workload : workloads) {
    if (workload->origin != Workload::Origin::manifest) continue;
    keep(validate_pod_template(workload->pod, "spec"), workload);
  }
  return findings;
}

}  // namespace

ApiReview review_objects(const Corpus& corpus, unsigned jobs) {
  const WorkloadsByObject workloads = by_object(corpus);
  auto found = parallel_map(corpus.objects.size(), jobs, [&](std::size_t i) {
    const KubernetesObject& object = corpus.objects[i];
    const auto own = workloads.find({object.node.document(), object.node.index()});
    return validate(object, own == workloads.end() ? std::vector<const Workload*>{} : own->second);
  });
  ApiReview review;
  for (auto& some : found) std::ranges::move(some, std::back_inserter(review.findings));
  return review;
}

}  // namespace gpulint
