#include "compiler/schedule/gates/gates.h"

#include <iterator>
#include <utility>

namespace gpulint {

FindObstacles make_gates(const Corpus& corpus) {
  std::vector<FindObstacles> gates{
      make_pod_security_gate(corpus),    make_autopilot_gate(corpus),
      make_runtime_class_gate(corpus),   make_quota_gate(corpus),
      make_kueue_namespace_gate(corpus), make_kueue_gate(corpus),
      make_scheduler_queue_gate(corpus), make_card_gate(corpus),
      make_bound_pod_gate(corpus),       make_missing_object_gate(corpus),
      make_topology_gate(corpus),        make_capacity_gate(corpus)};
  if (!has_slices(corpus)) gates.push_back(make_claim_gate(corpus));
  return [gates = std::move(gates)](const Workload& workload) {
    std::vector<Obstacle> all;
    for (const FindObstacles& gate : gates)
      std::ranges::move(gate(workload), std::back_inserter(all));
    return all;
  };
}

}  // namespace gpulint
