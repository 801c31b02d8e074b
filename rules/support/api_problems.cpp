#include "rules/support/api_problems.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <utility>

#include "compiler/api_validation/validate_scheduling.h"
#include "compiler/base/text.h"
#include "compiler/flyte/analysis.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/schedule/gpu_relation.h"
#include "compiler/schedule/pool_accelerators.h"
#include "rules/support/flyte_queries.h"
#include "rules/support/queries.h"

namespace gpulint::rules {
namespace {

[[nodiscard]] bool is_told_by_flyte_rules(const ApiProblem& problem) {
  switch (problem.issue) {
    case ApiIssue::toleration_operator:
    case ApiIssue::toleration_comparison:
    case ApiIssue::toleration_exists_value:
      return true;
    case ApiIssue::taint_effect:
    case ApiIssue::selector_operator:
      return problem.node.is_scalar() && !leads_through(problem, "default-affinity");
    case ApiIssue::selector_values_missing:
      return bool(problem.node.get("value"));  // an unknown key, with a name to give it
    default:
      return false;
  }
}

/// A placeholder in a toleration or requirement leaves open what the rest of it means.
[[nodiscard]] bool has_placeholder(Node node) {
  return any_below(node, [](Node inner) { return inner.is_opaque(); });
}

void validate(const flyte::K8sPluginConfig& config, ApiReport& report) {
  for (const Toleration* toleration : all_tolerations(config)) {
    if (!toleration->node || has_placeholder(toleration->node)) continue;
    validate_tolerations({*toleration}, "tolerations", report);
  }
  for (const SelectorRequirement* requirement : all_requirements(config)) {
    const Node at = requirement->node;
    if (!at || has_placeholder(at) || find_toleration_form(at)) continue;
    NodeAffinity affinity;
    affinity.has_required = true;
    affinity.required.emplace_back().expressions.push_back(*requirement);
    validate_node_affinity(affinity, "nodeAffinity", report);
  }
  if (config.default_affinity && !has_placeholder(config.default_affinity->node)) {
    validate_node_affinity(*config.default_affinity, "default-affinity.nodeAffinity", report);
  }
  validate_labels(config.default_node_selector, "nodeSelector", report);
  validate_labels(config.interruptible_node_selector, "nodeSelector", report);
}

[[nodiscard]] bool speaks_kubernetes(const NodePool& pool) {
  switch (pool.source) {
    case NodePool::Source::karpenter_node_pool:
    case NodePool::Source::karpenter_provisioner:
    case NodePool::Source::eksctl:
    case NodePool::Source::machine_api:
    case NodePool::Source::gpulint_config:
      return true;
    case NodePool::Source::node:  // an object of the API: Corpus::api
    case NodePool::Source::kops:
    case NodePool::Source::cluster_api:
    case NodePool::Source::config_connector:
    case NodePool::Source::compute_class:
    case NodePool::Source::service_operator:
    case NodePool::Source::terraform:
    case NodePool::Source::kubelet:
      return false;
  }
  return false;
}

/// As Go's strconv.ParseInt reads base 10.
[[nodiscard]] bool is_whole_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

[[nodiscard]] bool is_unordered(const SelectorRequirement& requirement) {
  const bool compares = requirement.op.equals("Gt") || requirement.op.equals("Lt");
  if (!compares || requirement.values.size() != 1) return false;
  const Field<std::string>& value = requirement.values.front();
  return value.is_known() && value.node() && !is_whole_number(value.value());
}

}  // namespace

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

std::vector<ApiProblem> find_flyte_problems(const Corpus& corpus) {
  ApiReport report;
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    const flyte::FlyteConfig& config = installation.loaded.propeller;
    if (config.problems.empty()) validate(config.k8s, report);
  }
  std::vector<ApiProblem> problems = std::move(report).take();
  std::erase_if(problems, [](const ApiProblem& problem) {
    return !problem.node || is_told_by_flyte_rules(problem);
  });
  return problems;
}

std::vector<ApiProblem> find_pool_problems(const Corpus& corpus) {
  ApiReport report;
  for (const NodePool& pool : corpus.cluster.pools) {
    const bool is_accepted = pool.source == NodePool::Source::eksctl && pool.error.empty();
    if (!speaks_kubernetes(pool) || is_accepted || !looks_like_gpu_nodes(pool)) continue;
    if (pool.karpenter != nullptr) {
      const bool are_written =
          std::ranges::all_of(pool.taints, [](const Taint& taint) { return bool(taint.node); });
      if (are_written) validate_taints(pool.taints, "taints", report);
      continue;
    }
    for (const Taint& taint : pool.taints) {  // one by one: eksctl takes the same twice
      if (taint.node) validate_taints({taint}, "taints", report);
    }
  }
  std::vector<ApiProblem> problems = std::move(report).take();
  std::erase_if(problems, [](const ApiProblem& problem) { return !problem.node; });
  return problems;
}

std::vector<const SelectorRequirement*> find_unordered(const Corpus& corpus) {
  std::vector<const SelectorRequirement*> found;
  const auto take = [&](const SelectorRequirement& one) {
    if (is_unordered(one)) found.push_back(&one);
  };
  for (const Workload& workload : corpus.workloads) {
    if (!concerns_gpus(workload.pod)) continue;
    for (const SelectorTerm& term : workload.pod.node_affinity.required) {
      std::ranges::for_each(term.expressions, take);
    }
  }
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    const flyte::K8sPluginConfig& config = installation.loaded.propeller.k8s;
    for (const SelectorRequirement* one : all_requirements(config)) take(*one);
  }
  return found;
}

}  // namespace gpulint::rules
