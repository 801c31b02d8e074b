#include "compiler/engine/rule.h"

#include "compiler/engine/reporter.h"
#include "compiler/schedule/gates/gates.h"
#include "rules/support/obstacles.h"
#include "rules/support/queries.h"

namespace gpulint::rules::autopilot_gpu_pod {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  const FindObstacles gate = make_autopilot_gate(corpus);
  for (const Workload& workload : corpus.workloads) {
    if (concerns_gpus(workload.pod)) report(reporter, gate, workload);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "placement"}, .check = check};

}  // namespace gpulint::rules::autopilot_gpu_pod
