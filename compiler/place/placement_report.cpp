#include "compiler/place/placement_report.h"

#include "compiler/schedule/best_fit.h"

namespace gpulint {

Ternary best_of(const PlacementReport& report, std::size_t workload) {
  const bool is_accepted = report.refusals[workload].empty();
  const Ternary passed = is_accepted ? passes(report.obstacles[workload]) : Ternary::no;
  return passed == Ternary::no ? Ternary::no : all_of(passed, best_fit(report.placement, workload));
}

std::string workload_key(const PlacementReport& report, std::size_t workload) {
  return report.cluster + "\n" + report.names[workload];
}

}  // namespace gpulint
