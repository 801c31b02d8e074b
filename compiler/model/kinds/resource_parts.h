#pragma once

#include <span>
#include <vector>

#include "compiler/model/declared_kinds.h"
#include "compiler/model/objects.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// What custom resources of kinds that gpulint does not know say of pods: mappings below `spec`
/// with `tolerations`, `nodeSelector`, `affinity` or `resources` in the forms of the API, which
/// operators put into a pod as they stand. Each is a workload of the origin `values`, its role the
/// place (`worker.podPolicy`): what it does not say is open. Left out are kinds that are read by
/// their own fields, those that hold values of charts or other objects, and policies. `declared`:
/// kinds of gpulint.yaml; may be null.
[[nodiscard]] std::vector<Workload> find_resource_parts(std::span<const KubernetesObject> objects,
                                                        const DeclaredKinds* declared = nullptr);

}  // namespace gpulint
