#pragma once

#include <cstdint>
#include <string_view>

#include "compiler/model/pools/karpenter_pool.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// What Karpenter thinks of one requirement (ValidateRequirement). Opaque parts are fine.
enum class RequirementFlaw : std::uint8_t { none, restricted, bad };
[[nodiscard]] RequirementFlaw karpenter_flaw(const SelectorRequirement& requirement,
                                             KarpenterProvider provider);

}  // namespace gpulint
