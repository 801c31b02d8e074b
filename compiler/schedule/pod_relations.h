#pragma once

#include <string>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/workload.h"

namespace gpulint {

// The fields that bind a pod to volumes and to the nodes of other pods.

/// A PersistentVolumeClaim of the workload's namespace that its pods mount.
struct VolumeClaim {
  std::string name;
  Node node;  ///< Where it is named.
};
/// The claims that pods name and, for a StatefulSet, those of its first pod (`TEMPLATE-SET-0`).
/// Without unknown names.
[[nodiscard]] std::vector<VolumeClaim> volume_claims(const Workload& workload);

/// Whether the status of a pod says that it has ended.
[[nodiscard]] bool has_ended(const Workload& workload);

/// The topology spread constraints with `DoNotSchedule`.
[[nodiscard]] std::vector<Node> spread_constraints(const PodSpec& pod);

/// The required terms of the pod affinity and the pod anti-affinity.
[[nodiscard]] std::vector<Node> pod_affinity_terms(const PodSpec& pod);
[[nodiscard]] std::vector<Node> pod_anti_affinity_terms(const PodSpec& pod);
/// Whether the term selects pods only by `labelSelector`, within the namespace.
[[nodiscard]] bool is_plain_term(Node term);

}  // namespace gpulint
