#pragma once

#include <string_view>
#include <vector>

#include "compiler/model/workload.h"

namespace gpulint {

/// Every node at a path of a KindReference. `workload`: for `pod.` and `template.`; else null.
[[nodiscard]] std::vector<Node> referring_nodes(Node object, const Workload* workload,
                                                std::string_view path);

}  // namespace gpulint
