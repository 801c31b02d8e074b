#pragma once

#include <deque>

#include "compiler/model/scope/scope_model.h"

namespace gpulint {

/// What Kueue's queues make of pods, as workloads of their own (Origin::queued):
/// - of each ResourceFlavor that has labels a pod that demands them, and a GPU of those that the
///   flavor has a quota of: where no node may take it, the flavor takes workloads nowhere;
/// - each workload whose queue covers all that it requests, with what its flavor adds; where there
///   are several to choose from, with the tolerations of all of them and the labels of none.
/// Left out is what admission checks have a say in: they make nodes, or choose another cluster. Of
/// ProvisioningRequests, which make nodes of this cluster's pools, that holds only where no known
/// pool has all labels that a workload then selects.
[[nodiscard]] std::deque<Workload> find_queued_pods(const ScopeModel& model);

/// Whether the workload is what a ResourceFlavor alone demands.
[[nodiscard]] bool is_flavor(const Workload& workload);

}  // namespace gpulint
