#pragma once

#include <vector>

#include "compiler/model/corpus.h"
#include "compiler/schedule/placement_analysis.h"

namespace gpulint::rules {

/// Causes that one line of a node gives to several manifests: a label or taint that drifted.
struct SharedCause {
  /// The first of them with the workloads of all; at the line where one node alone has it.
  Cause cause;
  std::vector<const Cause*> parts;  ///< In order; never empty.
  bool is_at_node = false;
};

/// Merges causes of manifests that differ in their place only; the others stay as they are.
[[nodiscard]] std::vector<SharedCause> share_causes(const Corpus& corpus,
                                                    const std::vector<const Cause*>& causes);

}  // namespace gpulint::rules
