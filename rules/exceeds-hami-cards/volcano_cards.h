#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::exceeds_hami_cards {

/// Containers that want more of `volcano.sh/vgpu-number` than any node has cards: Volcano takes
/// each from another card (volcano-sh/volcano ed72c7c81,
/// pkg/scheduler/api/devices/nvidia/vgpu/utils.go), of which a node offers several. How many cards
/// a node has GPU Feature Discovery says by `nvidia.com/gpu.count`; judged only where all that
/// offer such devices carry the label.
void check_volcano_cards(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::exceeds_hami_cards
