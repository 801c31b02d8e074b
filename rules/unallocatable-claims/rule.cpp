#include "compiler/engine/rule.h"

#include "compiler/engine/reporter.h"
#include "compiler/schedule/gates/gates.h"
#include "rules/support/obstacles.h"

namespace gpulint::rules::unallocatable_claims {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  const FindObstacles gate = make_claim_gate(corpus, corpus.placement);
  for (const Workload& workload : corpus.workloads) report(reporter, gate, workload);
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators", .severity = Severity::warning},
                                 .check = check};

}  // namespace gpulint::rules::unallocatable_claims
