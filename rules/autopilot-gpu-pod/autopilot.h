#pragma once

#include "compiler/ir/node.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::autopilot_gpu_pod {

/// What shows that the cluster is one of GKE Autopilot: Config Connector's or Terraform's cluster
/// with Autopilot enabled, or Nodes with the names that Autopilot gives; nothing where no input
/// does, or where a node pool is declared beside it.
[[nodiscard]] Node find_autopilot(const Corpus& corpus);

}  // namespace gpulint::rules::autopilot_gpu_pod
