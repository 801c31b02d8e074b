#pragma once

#include <vector>

#include "compiler/model/cluster.h"
#include "compiler/model/objects.h"

namespace gpulint {

/// The nodes that GKE makes for pods which select a ComputeClass (cloud.google.com/v1): one pool
/// for each of its `priorities`, where `nodePoolAutoCreation` is enabled; empty of other objects,
/// and of priorities that name pools which somebody else makes. They carry the label
/// `cloud.google.com/compute-class` and a taint of that key, which GKE tolerates for the pods that
/// select the class; further labels and taints are open (Google Cloud, «About custom compute
/// classes», «ComputeClass CustomResourceDefinition»).
[[nodiscard]] std::vector<NodePool> read_compute_class(const KubernetesObject& object);

}  // namespace gpulint
