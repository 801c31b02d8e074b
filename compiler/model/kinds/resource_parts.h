#pragma once

#include <span>
#include <vector>

#include "compiler/model/declared_kinds.h"
#include "compiler/model/objects.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// The parts of pods in custom resources of kinds that gpulint does not know: mappings below `spec`
/// with `tolerations`, `nodeSelector`, `affinity` or `resources` in the forms of the API, which
/// operators copy into a pod. Each is a workload with the origin `values`; its role is the place
/// (`worker.podPolicy`). What it does not set is unknown. Leaves out kinds that are read by their
/// own fields, those with values of charts or with other objects, and policies. `declared`: kinds
/// of gpulint.yaml; may be null.
[[nodiscard]] std::vector<Workload> find_resource_parts(std::span<const KubernetesObject> objects,
                                                        const DeclaredKinds* declared = nullptr);

}  // namespace gpulint
