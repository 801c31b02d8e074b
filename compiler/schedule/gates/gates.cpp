#include "compiler/schedule/gates/gates.h"

#include <iterator>
#include <utility>

namespace gpulint {

FindObstacles make_gates(const ScopeModel& model, const PlacementAnalysis* placement) {
  std::vector<FindObstacles> gates{make_pod_security_gate(model),
                                   make_autopilot_gate(model),
                                   make_knative_gate(model),
                                   make_runtime_class_gate(model),
                                   make_quota_gate(model),
                                   make_kueue_namespace_gate(model),
                                   make_kueue_gate(model),
                                   make_scheduler_queue_gate(model),
                                   make_card_gate(model),
                                   make_share_gate(model),
                                   make_volcano_share_gate(model),
                                   make_shared_count_gate(model),
                                   make_bound_pod_gate(model),
                                   make_missing_object_gate(model),
                                   make_topology_gate(model, placement),
                                   make_capacity_gate(model, placement)};
  if (!has_slices(model)) gates.push_back(make_claim_gate(model, placement));
  return [gates = std::move(gates)](const Workload& workload) {
    std::vector<Obstacle> all;
    for (const FindObstacles& gate : gates)
      std::ranges::move(gate(workload), std::back_inserter(all));
    return all;
  };
}

}  // namespace gpulint
