#pragma once

#include <cstdint>
#include <string_view>

#include "compiler/model/pools/karpenter_pool.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// Karpenter's validation of one requirement (ValidateRequirement). Opaque parts are valid.
enum class RequirementFlaw : std::uint8_t { none, restricted, bad };
[[nodiscard]] RequirementFlaw karpenter_flaw(const SelectorRequirement& requirement,
                                             KarpenterProvider provider);

}  // namespace gpulint
