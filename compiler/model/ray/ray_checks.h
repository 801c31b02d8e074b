#pragma once

#include "compiler/model/ray/ray_cluster.h"

namespace gpulint {

/// Adds what the CRD's schema rejects or prunes, and what the operator's validation rejects. Groups
/// must have been read.
void check_ray_cluster(RayCluster& cluster);

}  // namespace gpulint
