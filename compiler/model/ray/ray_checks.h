#pragma once

#include "compiler/model/ray/ray_cluster.h"

namespace gpulint {

/// Appends what the CRD's schema refuses or prunes, and what the operator's validation refuses.
/// Groups must have been read.
void check_ray_cluster(RayCluster& cluster);

}  // namespace gpulint
