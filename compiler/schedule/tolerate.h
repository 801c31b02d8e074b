#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/model/pools/cluster.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

/// Whether the toleration operators `Gt` and `Lt` are enabled: an alpha feature gate of the
/// scheduler, off by default; always on in Karpenter.
enum class ComparisonOperators : std::uint8_t { off, on };

/// Whether a toleration matches a taint (core/v1 Toleration.ToleratesTaint).
[[nodiscard]] Ternary tolerates(const Toleration& toleration, const Taint& taint,
                                ComparisonOperators comparison = ComparisonOperators::off);

/// Whether any toleration matches the taint.
[[nodiscard]] Ternary tolerated(const std::vector<Toleration>& tolerations, const Taint& taint,
                                ComparisonOperators comparison = ComparisonOperators::off);

/// Whether the taint rejects pods (`NoSchedule`, `NoExecute`). `PreferNoSchedule` is only a
/// preference.
[[nodiscard]] Ternary is_hard(const Taint& taint);

/// `key=value:effect`, as the scheduler writes it.
[[nodiscard]] std::string to_string(const Taint& taint);

}  // namespace gpulint
