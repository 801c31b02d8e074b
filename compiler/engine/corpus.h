#pragma once

#include "compiler/model/scope/scope_model.h"

namespace gpulint {

namespace flyte {
struct Analysis;
}
struct ApiReview;
struct PlacementAnalysis;

/// Everything that a rule may read about one scope: what its documents mean, and what Flyte, the
/// API server and the scheduler make of them.
struct Corpus : ScopeModel {
  const flyte::Analysis* flyte = nullptr;  ///< compiler/flyte/analysis.h; never null for rules.
  const ApiReview* api = nullptr;  ///< compiler/api_validation/api_review.h; never null for rules.
  /// compiler/schedule/placement_analysis.h: why workloads fit no node; null if it was not computed
  /// (tests of single rules).
  const PlacementAnalysis* placement = nullptr;
};

}  // namespace gpulint
