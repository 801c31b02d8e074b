#pragma once

// model/kinds: where each kind has its pod templates, how many pods it creates, and what it
// references. It does not know nodes.

#include <span>
#include <vector>

#include "compiler/model/declared_kinds.h"
#include "compiler/model/objects.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// All pods that the objects create, found by structure: any mapping with `containers` is a pod's
/// spec, also in custom resources. Pods without `containers` are read by the rows of
/// facts/kinds.json, and by those that gpulint.yaml declares (null: none). Fields that another
/// object adds are opaque.
[[nodiscard]] std::vector<Workload> find_pod_templates(std::span<const KubernetesObject> objects,
                                                       const DeclaredKinds* declared = nullptr);

/// The parts of pods in parts of objects: by the kinds' own fields if they have no containers.
[[nodiscard]] std::vector<Workload> find_pod_fragments(std::span<const KubernetesObject> objects);

/// The same for one object.
[[nodiscard]] std::vector<Workload> find_pod_templates(const KubernetesObject& object,
                                                       const DeclaredKinds* declared = nullptr);

/// Whether it has no kind and is read as a part of a pod.
[[nodiscard]] bool is_pod_fragment(const KubernetesObject& object);

/// A workload of the object, with an empty pod.
[[nodiscard]] Workload begin_workload(const KubernetesObject& object, Node template_node);

/// Whether something may add to the pod before the API server receives it: a controller to the
/// templates of custom kinds (mpi-operator adds volumes, KServe images, Argo the workflow's
/// claims), the file that includes a fragment, and the program that reads a Pod as a template file
/// (Spark, Airflow). Templates of Kubernetes' own kinds are complete.
[[nodiscard]] bool is_completed_later(const Workload& workload);

}  // namespace gpulint
