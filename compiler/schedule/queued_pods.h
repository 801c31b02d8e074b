#pragma once

#include <deque>

#include "compiler/model/scope/scope_model.h"

namespace gpulint {

/// Pods as Kueue changes them, as separate workloads (Origin::queued):
/// - for each ResourceFlavor with labels, a pod that requires them and one GPU for which the flavor
///   has a quota. If no node fits it, the flavor cannot place any workload;
/// - each workload whose queue covers all its requests, with the labels and tolerations of its
///   flavor. If there are several flavors, with the tolerations of all and the labels of none.
/// Not with admission checks, which create nodes or choose another cluster. Exception: checks with
/// ProvisioningRequests, which create nodes of this cluster's pools, if a known pool has all labels
/// that the workload then selects.
[[nodiscard]] std::deque<Workload> find_queued_pods(const ScopeModel& model);

/// Whether the workload is the pod of a ResourceFlavor.
[[nodiscard]] bool is_flavor(const Workload& workload);

}  // namespace gpulint
