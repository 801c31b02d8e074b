#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/objects.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// RuntimeClass objects by name; nothing where several have the name.
using RuntimeClasses = std::map<std::string, std::optional<Node>>;
[[nodiscard]] RuntimeClasses find_runtime_classes(const std::vector<KubernetesObject>& objects);

/// Adds to the pod what its RuntimeClass adds to each (Kubernetes 1.37,
/// plugin/pkg/admission/runtimeclass): `scheduling.nodeSelector`, `scheduling.tolerations`,
/// `overhead.podFixed`. What the plugin rejects is left as it is (make_runtime_class_gate()). Where
/// the class is not known, so is what it adds.
void add_runtime_class(const RuntimeClasses& classes, Workload& workload);

/// Whether it is known what a RuntimeClass adds to the pod; of one that add_runtime_class() has
/// completed. NVIDIA's classes add nothing where no object says otherwise.
[[nodiscard]] bool is_runtime_class_known(const PodSpec& pod);

}  // namespace gpulint
