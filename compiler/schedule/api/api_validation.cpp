#include "compiler/schedule/api/api_validation.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "compiler/model/pod_templates.h"
#include "compiler/schedule/api/api_decode.h"
#include "compiler/schedule/api/validate_pod.h"
#include "compiler/schedule/api/validate_resources.h"
#include "compiler/schedule/api/validate_scheduling.h"
#include "compiler/schedule/api/validate_workload.h"

namespace gpulint {
namespace {

[[nodiscard]] bool is_decode_error(const ApiProblem& problem) {
  return problem.type == ApiErrorType::decode;
}

[[nodiscard]] bool is_strict_only(const ApiProblem& problem) {
  return problem.type == ApiErrorType::unknown_field ||
         problem.type == ApiErrorType::duplicate_field;
}

void validate(const KubernetesObject& object, std::string_view kind, ApiReport& report) {
  if (kind == "Pod") {
    validate_pod_object(object.node, report);
  } else if (kind == "Deployment" || kind == "DaemonSet" || kind == "StatefulSet" ||
             kind == "ReplicaSet") {
    validate_controller(object.node, kind, report);
  } else if (kind == "Job") {
    validate_job(object.node, report);
  } else if (kind == "CronJob") {
    validate_cron_job(object.node, report);
  } else if (kind == "PodTemplate") {
    validate_pod_template_object(object.node, report);
  } else if (kind == "Node") {
    validate_node_object(object.node, report);
  } else if (kind == "RuntimeClass") {
    validate_runtime_class(object.node, report);
  } else if (kind == "ResourceQuota") {
    validate_resource_quota(object.node, report);
  }
}

/// The kind's type, where apiVersion and kind are both known to the tables.
[[nodiscard]] const ApiType* type_of(const KubernetesObject& object) {
  const bool is_known = object.kind.is_known() && object.api_version.is_known();
  return is_known ? find_object_type(object.api_version.value(), object.kind.value()) : nullptr;
}

/// Decode errors alone where there are any, else nothing: the caller goes on.
[[nodiscard]] std::vector<ApiProblem> keep_decode_errors(std::vector<ApiProblem> problems) {
  std::erase_if(problems, [](const ApiProblem& problem) { return !is_decode_error(problem); });
  return problems;
}

/// What a controller fills in or adds: the image, a container, a volume that is mounted, a claim
/// that is used. What a list's own item lacks (a toleration's key, a mount's path) stays lacking.
[[nodiscard]] bool may_be_completed(const ApiProblem& problem) {
  const bool is_missing =
      problem.type == ApiErrorType::required || problem.type == ApiErrorType::not_found;
  switch (problem.issue) {
    case ApiIssue::container_missing:
    case ApiIssue::container_name:
    case ApiIssue::container_image:
    case ApiIssue::object_name:
    case ApiIssue::restart_policy:
      return is_missing;
    case ApiIssue::reference:
    case ApiIssue::resource_claim:
      return problem.type == ApiErrorType::not_found;
    default:
      return false;
  }
}

[[nodiscard]] std::vector<ApiProblem> without_completed(std::vector<ApiProblem> problems) {
  std::erase_if(problems, may_be_completed);
  return problems;
}

}  // namespace

bool is_judged(const KubernetesObject& object) { return type_of(object) != nullptr; }

std::vector<ApiProblem> validate_object(const KubernetesObject& object) {
  const ApiType* const type = type_of(object);
  if (type == nullptr) return {};
  ApiReport decoding;
  decode(object.node, *type, "", decoding);
  std::vector<ApiProblem> problems = std::move(decoding).take();
  if (std::ranges::any_of(problems, is_decode_error)) {
    return keep_decode_errors(std::move(problems));
  }
  ApiReport report;
  validate(object, type->name, report);
  std::ranges::move(std::move(report).take(), std::back_inserter(problems));
  return problems;
}

std::vector<ApiProblem> validate_pod_template(const PodSpec& pod, const std::string& path) {
  const ApiType* const type = find_api_type("PodSpec");
  ApiReport decoding;
  decode(pod.node, *type, path, decoding);
  std::vector<ApiProblem> problems = std::move(decoding).take();
  if (std::ranges::any_of(problems, is_decode_error)) {
    return keep_decode_errors(std::move(problems));
  }
  ApiReport report;
  validate_pod_spec(pod, path, {}, report);
  return without_completed(std::move(report).take());
}

/// Values are a layer over those of the chart, which may have the limit, or `cpu` for huge pages.
[[nodiscard]] static bool may_be_mended_by_chart(const ApiProblem& problem) {
  const bool is_resources = problem.path.find(".resources") != std::string::npos;
  return is_resources && (problem.type == ApiErrorType::required ||
                          problem.type == ApiErrorType::forbidden);
}

std::vector<ApiProblem> validate_values_part(const PodSpec& pod) {
  ApiReport report;
  decode(pod.node, *find_api_type("PodSpec"), "spec", report);
  std::vector<ApiProblem> problems = keep_decode_errors(std::move(report).take());
  const auto is_of_chart = [](const ApiProblem& problem) {
    constexpr std::array<std::string_view, 5> parts{
        "spec.tolerations", "spec.nodeSelector", "spec.affinity.nodeAffinity",
        "spec.resources.limits", "spec.resources.requests"};
    return std::ranges::none_of(
        parts, [&](std::string_view part) { return problem.path.starts_with(part); });
  };
  std::erase_if(problems, is_of_chart);
  ApiReport rest;
  validate_labels(pod.node_selector, "spec.nodeSelector", rest);
  validate_node_affinity(pod.node_affinity, "spec.affinity.nodeAffinity", rest);
  validate_tolerations(pod.tolerations, "spec.tolerations", rest);
  for (const Container& container : pod.containers) {
    validate_container_resources(container.resources, "spec.containers[0].resources",
                                 RequestDefaulting::none, rest);
  }
  std::ranges::move(std::move(rest).take(), std::back_inserter(problems));
  std::erase_if(problems, may_be_mended_by_chart);
  return problems;
}

std::vector<ApiProblem> validate_workload(const Workload& workload, const std::string& path) {
  const KubernetesObject object{workload.object, workload.api_version, workload.kind};
  if (workload.origin != Workload::Origin::manifest || !is_judged(object)) {
    return validate_pod_template(workload.pod, path);
  }
  std::vector<ApiProblem> problems = validate_object(object);
  return is_completed_later(workload) ? without_completed(std::move(problems)) : problems;
}

bool is_accepted(const std::vector<ApiProblem>& problems) {
  return std::ranges::all_of(problems, is_strict_only);
}

}  // namespace gpulint
