#pragma once

// model/kinds: where each kind has its pod templates, how many pods it creates, and what it
// references. It does not know nodes.

#include <span>
#include <vector>

#include "compiler/model/declared_kinds.h"
#include "compiler/model/objects.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// Every pod that the objects make, found by structure: a mapping with `containers` is a pod's spec
/// wherever it stands, so that custom resources count too. Pods without `containers` are read by
/// the rows of facts/kinds.json, and by those that gpulint.yaml declares (null: none); what another
/// object adds to them is left opaque.
[[nodiscard]] std::vector<Workload> find_pod_templates(std::span<const KubernetesObject> objects,
                                                       const DeclaredKinds* declared = nullptr);

/// The parts of pods in parts of objects: by the kinds' own fields where they have no containers.
[[nodiscard]] std::vector<Workload> find_pod_fragments(std::span<const KubernetesObject> objects);

/// The same for one object.
[[nodiscard]] std::vector<Workload> find_pod_templates(const KubernetesObject& object,
                                                       const DeclaredKinds* declared = nullptr);

/// Whether it has no kind and is read as part of a pod.
[[nodiscard]] bool is_pod_fragment(const KubernetesObject& object);

/// A workload of the object's, of whose pod nothing is read yet.
[[nodiscard]] Workload begin_workload(const KubernetesObject& object, Node template_node);

/// Whether something else may add to the pod before the API server sees it: a controller to the
/// templates of custom kinds (mpi-operator adds volumes, KServe images, Argo the workflow's
/// claims), whoever includes it to a fragment, and the program that reads it to a Pod that is a
/// template file (Spark, Airflow). Templates of Kubernetes' own kinds are complete.
[[nodiscard]] bool is_completed_later(const Workload& workload);

}  // namespace gpulint
