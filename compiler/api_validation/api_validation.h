#pragma once

#include <string>
#include <vector>

#include "compiler/api_validation/api_problem.h"
#include "compiler/ir/document.h"
#include "compiler/ir/node.h"
#include "compiler/model/objects.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// The reasons why a Kubernetes 1.37 API server with strict field validation rejects an object,
/// before admission plugins. Empty for kinds that the tables do not contain (custom resources,
/// other groups). If the body cannot be decoded, nothing else is reported, as by the server.
/// Patches and overlays are parts of objects, and what they lack is also reported: callers that
/// check such files must treat ApiErrorType::required and missing matches with care.
[[nodiscard]] std::vector<ApiProblem> validate_object(const KubernetesObject& object);

/// Whether validate_object() knows this kind.
[[nodiscard]] bool is_validated(const KubernetesObject& object);

/// The same for a pod template anywhere (custom resources, fragments): paths start at `path`, for
/// instance `spec.template.spec`. Unknown fields are not reported: custom resources add their own.
/// Also not reported is what a controller may complete before it creates the pod: images,
/// containers, volumes and claims (MPIJob, LLMInferenceService, Spark).
[[nodiscard]] std::vector<ApiProblem> validate_pod_template(const PodSpec& pod,
                                                            const std::string& path);

/// The same for the parts of a pod in a chart's values. Checks only tolerations, node selector,
/// node affinity and amounts of resources.
[[nodiscard]] std::vector<ApiProblem> validate_values_part(const PodSpec& pod);

/// The same for the workload's whole object if its kind is known, else for its pod template. Pods
/// that are completed later (is_completed_later()) may be incomplete.
[[nodiscard]] std::vector<ApiProblem> validate_workload(const Workload& workload,
                                                        const std::string& path);

/// Whether the server accepts the object without strict field validation.
[[nodiscard]] bool is_accepted(const std::vector<ApiProblem>& problems);

}  // namespace gpulint
