#pragma once

#include <string>
#include <vector>

#include "compiler/api_validation/api_problem.h"
#include "compiler/ir/document.h"
#include "compiler/ir/node.h"
#include "compiler/model/objects.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// What a Kubernetes 1.37 API server with strict field validation refuses in an object, before
/// admission plugins. Kinds that the tables do not know (custom resources, other groups) are not
/// judged: empty. Where the body cannot be decoded, nothing else is reported, as by the server.
/// A patch or an overlay is half an object: what it misses is reported, too, so callers that judge
/// such files look at ApiErrorType::required and at missing matches with care.
[[nodiscard]] std::vector<ApiProblem> validate_object(const KubernetesObject& object);

/// Whether validate_object() judges this kind at all.
[[nodiscard]] bool is_judged(const KubernetesObject& object);

/// The same for a pod template anywhere (custom resources, fragments): paths start at `path`, for
/// instance `spec.template.spec`. Unknown fields are left out: custom resources add their own. So
/// is what a controller may complete before it makes the pod: images, containers, volumes and
/// claims (MPIJob, LLMInferenceService, Spark).
[[nodiscard]] std::vector<ApiProblem> validate_pod_template(const PodSpec& pod,
                                                            const std::string& path);

/// The same for what values of a chart say of a pod, mere parts: tolerations, node selector, node
/// affinity and amounts of resources alone, whatever else stands beside them.
[[nodiscard]] std::vector<ApiProblem> validate_values_part(const PodSpec& pod);

/// Of the workload's whole object where that is judged, else of its pod template. Pods that are
/// completed later (is_completed_later()) are not held to be whole.
[[nodiscard]] std::vector<ApiProblem> validate_workload(const Workload& workload,
                                                        const std::string& path);

/// Without the problems that only strict field validation refuses.
[[nodiscard]] bool is_accepted(const std::vector<ApiProblem>& problems);

}  // namespace gpulint
