#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/schedule/causes.h"
#include "compiler/schedule/known_nodes.h"
#include "compiler/schedule/predicates.h"

namespace gpulint {

// The steps of analyze_placement(), for a pod that fits no node.

/// A class of nodes, and what keeps the pod off it.
struct Candidate {
  const KnownNodes* nodes = nullptr;
  std::size_t node_class = 0;
  Assessment assessment;

  [[nodiscard]] const NodePool& pool() const { return nodes->pool(node_class); }
  [[nodiscard]] const NodeClass& known() const { return nodes->placement().classes()[node_class]; }
  /// A certain reason of this kind; null where there is none.
  [[nodiscard]] const Reason* find(ReasonKind kind) const;
  [[nodiscard]] std::vector<const Reason*> certain(ReasonKind kind) const;
  [[nodiscard]] bool passes_selection() const;
};
using Candidates = std::vector<const Candidate*>;

/// How many of the labels that the pod demands the candidate certainly lacks; of alternative terms
/// the one that comes nearest counts.
[[nodiscard]] std::size_t missing_labels(const PreparedPod& pod, const Candidate& candidate);

/// The candidate that misses least of what a person can change: the fewest labels first, since
/// nodes are chosen by them, then the fewest certain reasons, GPU nodes before others; null of
/// none.
[[nodiscard]] const Candidate* nearest_candidate(const PreparedPod& pod,
                                                 const Candidates& candidates);

/// Requested accelerators that none of the candidates offers; `all` may.
[[nodiscard]] std::vector<Cause> missing_resources(const PreparedPod& pod,
                                                   const Candidates& candidates,
                                                   const Candidates& all);

/// Why the selection passes none of `offering`, the candidates that offer what is requested.
[[nodiscard]] std::vector<Cause> unmatched_selection(const PreparedPod& pod,
                                                     const Candidates& offering,
                                                     const Candidates& all);

/// Resources of which each of the candidates has too little.
[[nodiscard]] std::vector<Cause> exceeded_amounts(const PreparedPod& pod,
                                                  const Candidates& candidates,
                                                  const Candidates& all);

/// The taints between the pod and the candidate nearest to it. Empty also where the pod's own
/// tolerations are refused by the API server, so that what they were meant for is open.
[[nodiscard]] std::vector<Cause> untolerated_taints(const Workload& workload,
                                                    const PreparedPod& pod,
                                                    const Candidates& candidates);

/// Where candidates fail each for a reason of its own; one at least must be certain to.
[[nodiscard]] Cause no_node_fits(const PreparedPod& pod, const Candidates& candidates,
                                 const Candidates& all);
/// The label of the pod's selection that keeps it off every one of the candidates: its key; nothing
/// where none does, or where terms are alternatives.
[[nodiscard]] Node excluding_label(const PreparedPod& pod, const Candidates& candidates);
/// Whether each label that the pod demands is on some candidate. Of alternatives one term is
/// enough.
[[nodiscard]] bool is_each_label_met(const PreparedPod& pod, const Candidates& all);

/// The workload as it would be with everything that the causes suggest; nullopt where one of them
/// suggests nothing.
[[nodiscard]] std::optional<Workload> with_suggestions(const Workload& workload,
                                                       const std::vector<Cause>& causes);

}  // namespace gpulint
