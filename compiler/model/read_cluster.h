#pragma once

#include <vector>

#include "compiler/ir/document.h"
#include "compiler/model/cluster.h"
#include "compiler/model/settings.h"

namespace gpulint {

/// The nodes that the documents of one scope and the settings declare, and the provider: declared,
/// or inferred from what stands in the documents. Evidence for two providers is none.
[[nodiscard]] Cluster read_cluster(const std::vector<const Document*>& documents,
                                   const Settings& settings);

}  // namespace gpulint
