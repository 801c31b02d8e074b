#pragma once

#include <span>
#include <vector>

#include "compiler/model/objects.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// Every pod that the objects make, found by structure: a mapping with `containers`
/// is a pod's spec wherever it stands, so that custom resources count too. Argo Workflows, Tekton,
/// KServe and Spark write pods without `containers`; those are read by their own fields, and what
/// another object adds to their pods is left opaque.
[[nodiscard]] std::vector<Workload> find_pod_templates(std::span<const KubernetesObject> objects);

/// The same for one object.
[[nodiscard]] std::vector<Workload> find_pod_templates(const KubernetesObject& object);

}  // namespace gpulint
