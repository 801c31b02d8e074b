#pragma once

#include <string>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/workload.h"

namespace gpulint {

// The fields that tie a pod to volumes and other pods, and so to places.

/// A PersistentVolumeClaim of the workload's namespace that its pods mount.
struct VolumeClaim {
  std::string name;
  Node node;  ///< Where it is named.
};
/// Those that pods name, and of a StatefulSet those of its first pod (`TEMPLATE-SET-0`). Templated
/// names are left out.
[[nodiscard]] std::vector<VolumeClaim> volume_claims(const Workload& workload);

/// The topology spread constraints with `DoNotSchedule`.
[[nodiscard]] std::vector<Node> spread_constraints(const PodSpec& pod);

/// The required terms of the pod affinity, and of the pod anti-affinity.
[[nodiscard]] std::vector<Node> pod_affinity_terms(const PodSpec& pod);
[[nodiscard]] std::vector<Node> pod_anti_affinity_terms(const PodSpec& pod);
/// Whether only the `labelSelector` of a term decides, among the pods of the namespace.
[[nodiscard]] bool is_plain_term(Node term);

}  // namespace gpulint
