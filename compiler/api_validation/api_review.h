#pragma once

// api_validation: objects → what the API server rejects, in its own words. It does not know nodes
// or rules.

#include <ranges>
#include <vector>

#include "compiler/api_validation/api_problem.h"
#include "compiler/model/corpus/corpus.h"

namespace gpulint {

/// What the API server refuses in an object that concerns GPUs.
struct ApiFinding {
  ApiProblem problem;
  const Workload* workload = nullptr;  ///< A pod of the object; null where it makes none.
};

/// Every such problem of a scope, found once and read by every rule (`Corpus::api`).
struct ApiReview {
  /// As in Corpus::objects; behind them what is wrong with Corpus::fragments.
  std::vector<std::vector<ApiFinding>> by_object;

  [[nodiscard]] auto findings() const { return by_object | std::views::join; }
};

/// An object concerns GPUs where one of its pods asks for one or may do or selects GPU nodes, where
/// the problem lies in a toleration, selector or label that names a GPU, where it is a Node or a
/// quota with GPUs, or where such pods are compared with it: a Node, or their RuntimeClass. Of
/// custom resources only the pods are judged. `jobs`: threads, as in parallel_for(). `before`: a
/// reviewed corpus, from which objects of documents that it shares are taken over; may be null.
[[nodiscard]] ApiReview review_objects(const Corpus& corpus, unsigned jobs, const Corpus* before);

}  // namespace gpulint
