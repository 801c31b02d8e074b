#pragma once

#include "compiler/model/corpus.h"

namespace gpulint::rules::discovery_hides_gpus {

/// Where NVIDIA's operator is used; nothing where nobody among the inputs does, or where rules of
/// Node Feature Discovery make labels of their own. It takes a node for a GPU node by one of the
/// labels pci-10de, pci-0300_10de and pci-0302_10de.present (NVIDIA/gpu-operator a22dbf671,
/// controllers/state_manager.go, gpuNodeLabels).
[[nodiscard]] Node find_operator(const Corpus& corpus);

}  // namespace gpulint::rules::discovery_hides_gpus
