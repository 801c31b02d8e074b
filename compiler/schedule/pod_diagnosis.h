#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/schedule/causes.h"
#include "compiler/schedule/known_nodes.h"
#include "compiler/schedule/predicates.h"

namespace gpulint {

// The steps of analyze_placement(), for a pod that fits no node.

/// A class of nodes, and why the pod does not fit it.
struct Candidate {
  const KnownNodes* nodes = nullptr;
  std::size_t node_class = 0;
  Assessment assessment;

  [[nodiscard]] const NodePool& pool() const { return nodes->pool(node_class); }
  [[nodiscard]] const NodeClass& known() const { return nodes->placement().classes()[node_class]; }
  /// A certain reason of this kind; null if there is none.
  [[nodiscard]] const Reason* find(ReasonKind kind) const;
  [[nodiscard]] std::vector<const Reason*> certain(ReasonKind kind) const;
  [[nodiscard]] bool passes_selection() const;
};
using Candidates = std::vector<const Candidate*>;

/// The number of required labels that the candidate certainly lacks; of alternative terms, the best
/// one counts.
[[nodiscard]] std::size_t missing_labels(const PreparedPod& pod, const Candidate& candidate);

/// The nearest candidate: the one that lacks the fewest labels, because people choose nodes by
/// labels; then the fewest certain reasons; then GPU nodes first. Null without candidates.
[[nodiscard]] const Candidate* nearest_candidate(const PreparedPod& pod,
                                                 const Candidates& candidates);

/// Requested accelerators that no candidate offers; others in `all` may.
[[nodiscard]] std::vector<Cause> missing_resources(const PreparedPod& pod,
                                                   const Candidates& candidates,
                                                   const Candidates& all);

/// Why the selection matches none of `offering`, the candidates that offer the requested resources.
[[nodiscard]] std::vector<Cause> unmatched_selection(const PreparedPod& pod,
                                                     const Candidates& offering,
                                                     const Candidates& all);

/// Requests that exceed the amount on every candidate.
[[nodiscard]] std::vector<Cause> exceeded_amounts(const PreparedPod& pod,
                                                  const Candidates& candidates);

/// The taints of the nearest candidate that the pod does not tolerate. Without those for which a
/// toleration may be meant that the API server rejects.
[[nodiscard]] std::vector<Cause> untolerated_taints(const Workload& workload,
                                                    const PreparedPod& pod,
                                                    const Candidates& candidates);

/// For candidates that fail for different reasons; at least one must have a certain reason.
[[nodiscard]] Cause no_node_fits(const PreparedPod& pod, const Candidates& candidates,
                                 const Candidates& all);
/// The required label that no candidate meets: its value, or else its key. Null if there is none,
/// or if the affinity has alternative terms.
[[nodiscard]] Node excluding_label(const PreparedPod& pod, const Candidates& candidates);
/// Whether some candidate has each label that the pod requires. Of alternative terms, one is
/// enough.
[[nodiscard]] bool is_each_label_met(const PreparedPod& pod, const Candidates& all);

/// The workload with the suggestions of all causes; nullopt if one of them has none.
[[nodiscard]] std::optional<Workload> with_suggestions(const Workload& workload,
                                                       const std::vector<Cause>& causes);

}  // namespace gpulint
