#include "rules/support/api_problems.h"

#include <algorithm>
#include <map>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/model/gpu_resource.h"
#include "compiler/schedule/api/api_validation.h"
#include "rules/support/queries.h"

namespace gpulint::rules {
namespace {

[[nodiscard]] bool mentions_gpu(std::string_view text) {
  const std::string folded = to_lower(text);
  return folded.find("gpu") != std::string::npos || folded.find("nvidia") != std::string::npos ||
         folded.find("accelerator") != std::string::npos;
}

[[nodiscard]] bool any_scalar_mentions_gpu(Node node) {
  bool found = false;
  walk(node,
       [&](Node inner) { found = found || (inner.is_scalar() && mentions_gpu(inner.text())); });
  return found;
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

void validate(const KubernetesObject& object, const std::vector<const Workload*>& workloads,
              std::vector<ApiFinding>& findings) {
  const bool about_gpus = concerns_gpus(workloads);
  const auto keep = [&](std::vector<ApiProblem> problems, const Workload* workload) {
    for (ApiProblem& problem : problems) {
      if (!about_gpus && !any_scalar_mentions_gpu(surroundings(problem.node))) continue;
      findings.push_back({std::move(problem), workload});
    }
  };
  if (is_judged(object)) {
    keep(validate_object(object), workloads.empty() ? nullptr : workloads.front());
    return;
  }
  for (const Workload* workload : workloads) {
    if (workload->origin != Workload::Origin::manifest) continue;
    keep(validate_pod_template(workload->pod, "spec"), workload);
  }
}

}  // namespace

std::vector<ApiFinding> find_api_problems(const Corpus& corpus) {
  const WorkloadsByObject workloads = by_object(corpus);
  std::vector<ApiFinding> findings;
  for (const KubernetesObject& object : all_objects(corpus)) {
    const auto own = workloads.find({object.node.document(), object.node.index()});
    validate(object, own == workloads.end() ? std::vector<const Workload*>{} : own->second,
             findings);
  }
  return findings;
}

bool leads_through(const ApiProblem& problem, std::string_view field) {
  std::string_view rest = problem.path;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('.'), rest.size());
    const std::string_view part = rest.substr(0, end);
    if (part.substr(0, part.find('[')) == field) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

bool is_wrong_shape(const ApiProblem& problem) {
  const Node at = problem.node;
  return problem.issue == ApiIssue::wrong_type && (at.is_mapping() || at.is_sequence()) && at.key();
}

bool is_pod_level_gpu(const ApiProblem& problem) {
  return problem.issue == ApiIssue::pod_level_resource &&
         problem.type == ApiErrorType::not_supported && is_gpu_resource(problem.node.text());
}

}  // namespace gpulint::rules
