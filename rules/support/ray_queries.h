#pragma once

#include <vector>

#include "compiler/model/corpus.h"
#include "compiler/model/ray_cluster.h"

namespace gpulint::rules {

/// Every Ray cluster of the scope, those inside RayJobs and RayServices included.
[[nodiscard]] std::vector<RayCluster> all_ray_clusters(const Corpus& corpus);

}  // namespace gpulint::rules
