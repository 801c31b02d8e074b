#pragma once

#include <span>

#include "compiler/ir/node.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

/// Whether a LabelSelector of the API (`matchLabels`, `matchExpressions`) matches these labels: one
/// that is absent matches nothing, an empty one everything (apimachinery, LabelSelectorAsSelector).
/// Unknown where a template hides a part that decides.
[[nodiscard]] Ternary selects(Node selector, std::span<const LabelEntry> labels);

}  // namespace gpulint
