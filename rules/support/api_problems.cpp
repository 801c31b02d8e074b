#include "rules/support/api_problems.h"

#include "compiler/base/text.h"
#include "compiler/model/facts/gpu_resource.h"

namespace gpulint::rules {

bool leads_through(const ApiProblem& problem, std::string_view field) {
  std::string_view rest = problem.path;
  while (!rest.empty()) {
    std::string_view part = take_part(rest, '.');
    if (take_part(part, '[') == field) return true;
  }
  return false;
}

std::string_view wanted_type(const ApiProblem& problem) {
  constexpr std::string_view mark = " as a ";
  const std::string_view detail = problem.detail;
  const std::size_t found = detail.rfind(mark);
  return found == std::string_view::npos ? std::string_view() : detail.substr(found + mark.size());
}

std::string_view last_field(const ApiProblem& problem) {
  std::string_view path = problem.path;
  while (path.ends_with(']')) {
    const std::string_view entry = path.substr(path.rfind('[') + 1);
    if (entry.find_first_not_of("0123456789]") != std::string_view::npos) {
      return entry.substr(0, entry.size() - 1);  // of a map
    }
    path.remove_suffix(entry.size() + 1);  // the item of a list
  }
  return path.substr(path.rfind('.') + 1);
}

bool is_wrong_shape(const ApiProblem& problem) {
  const Node at = problem.node;
  if (problem.issue != ApiIssue::wrong_type) return false;
  if (at.is_mapping() || at.is_sequence()) return bool(at.key());
  const std::string_view wanted = wanted_type(problem);
  return at.is_scalar() && (wanted == "list" || wanted == "mapping");
}

bool is_pod_level_gpu(const ApiProblem& problem) {
  return problem.issue == ApiIssue::pod_level_resource &&
         problem.type == ApiErrorType::not_supported && is_gpu_resource(problem.node.text());
}

}  // namespace gpulint::rules
