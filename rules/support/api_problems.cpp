#include "rules/support/api_problems.h"

#include "compiler/base/text.h"
#include "compiler/model/gpu_resource.h"

namespace gpulint::rules {

bool leads_through(const ApiProblem& problem, std::string_view field) {
  std::string_view rest = problem.path;
  while (!rest.empty()) {
    std::string_view part = take_part(rest, '.');
    if (take_part(part, '[') == field) return true;
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
