#include "rules/support/obstacles.h"

#include "rules/support/placement_causes.h"

namespace gpulint::rules {

Finding report(Reporter& reporter, const Obstacle& obstacle) {
  Finding finding = obstacle.is_at_key ? reporter.report_key(obstacle.demand, "{}", obstacle.reason)
                                       : reporter.report(obstacle.demand, "{}", obstacle.reason);
  for (const Obstacle::Half& half : obstacle.others) finding.related(half.node, half.text);
  if (!obstacle.advice.empty()) finding.help("{}", obstacle.advice);
  if (obstacle.certainty == Certainty::assumed) finding.at_most(Severity::warning);
  return finding;
}

void report(Reporter& reporter, std::span<const Obstacle> obstacles) {
  for (const Obstacle& obstacle : obstacles) report(reporter, obstacle);
}

void report(Reporter& reporter, const FindObstacles& gate, const Workload& workload) {
  for (const Obstacle& obstacle : gate(workload)) {
    Finding finding = report(reporter, obstacle);
    if (!is_outside(workload, obstacle.demand, obstacle.demand.span())) continue;
    relate_outside(finding, workload, obstacle.demand,
                   fmt::format("{} uses this setting", describe(workload)));
  }
}

}  // namespace gpulint::rules
