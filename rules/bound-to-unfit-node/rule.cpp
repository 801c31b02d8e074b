#include "compiler/engine/rule.h"

#include "compiler/engine/reporter.h"
#include "compiler/schedule/gates/gates.h"
#include "rules/support/obstacles.h"
#include "rules/support/queries.h"

namespace gpulint::rules::bound_to_unfit_node {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  const FindObstacles gate = make_bound_pod_gate(corpus);
  for (const Workload& workload : corpus.workloads) {
    const bool is_claiming = !workload.pod.resource_claims.empty();
    if (is_claiming || concerns_gpus(workload.pod)) report(reporter, gate, workload);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "placement"}, .check = check};

}  // namespace gpulint::rules::bound_to_unfit_node
