#pragma once

#include <span>
#include <vector>

#include "compiler/ir/document.h"
#include "compiler/model/objects.h"
#include "compiler/model/pools/cluster.h"
#include "compiler/model/settings.h"

namespace gpulint {

/// The nodes that the documents of one scope and the settings declare, with the `shared` ones, and
/// the provider: declared, or inferred from all nodes. Evidence for two providers counts as none.
/// `objects`: the documents' objects.
[[nodiscard]] Cluster read_cluster(const std::vector<const Document*>& documents,
                                   std::span<const KubernetesObject> objects,
                                   const Settings& settings, std::vector<NodePool> shared);

}  // namespace gpulint
