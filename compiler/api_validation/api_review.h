#pragma once

// api_validation: objects → what the API server rejects, in its own words. It does not know nodes
// or rules.

#include <ranges>
#include <vector>

#include "compiler/api_validation/api_problem.h"
#include "compiler/model/scope/scope_model.h"

namespace gpulint {

/// One reason why the API server rejects an object that concerns GPUs.
struct ApiFinding {
  ApiProblem problem;
  const Workload* workload = nullptr;  ///< A pod of the object; null if it creates none.
};

/// All such problems of a scope, found once and read by every rule (`Corpus::api`).
struct ApiReview {
  /// As in ScopeModel::objects; after them the problems of ScopeModel::fragments.
  std::vector<std::vector<ApiFinding>> by_object;

  [[nodiscard]] auto findings() const { return by_object | std::views::join; }
};

/// A model that was reviewed earlier; both null if there is none.
struct ReviewedModel {
  const ScopeModel* model = nullptr;
  const ApiReview* review = nullptr;
};

/// An object concerns GPUs if one of its pods requests a GPU, may request one, or selects GPU
/// nodes; if the problem is in a toleration, selector or label that names a GPU; if it is a Node or
/// a quota with GPUs; or if such pods are compared with it: a Node, or their RuntimeClass. Only the
/// pods of custom resources are checked. `jobs`: threads, as in parallel_for(). Results
/// of `before` are reused for the documents that both models share.
[[nodiscard]] ApiReview review_objects(const ScopeModel& model, unsigned jobs,
                                       const ReviewedModel& before = {});

}  // namespace gpulint
