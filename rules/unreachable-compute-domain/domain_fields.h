#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/dra.h"

namespace gpulint::rules::unreachable_compute_domain {

/// What the API server refuses of a ComputeDomain. Facts: the definition of `computedomains` in
/// NVIDIA/k8s-dra-driver-gpu, resource.nvidia.com/v1beta1.
void check_domain(Reporter& reporter, const ComputeDomain& domain);

}  // namespace gpulint::rules::unreachable_compute_domain
