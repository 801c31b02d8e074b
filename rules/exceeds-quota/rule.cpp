#include "compiler/engine/rule.h"

#include "compiler/engine/reporter.h"
#include "compiler/schedule/gates/gates.h"
#include "compiler/schedule/gpu_relation.h"
#include "rules/support/obstacles.h"

namespace gpulint::rules::exceeds_quota {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  const FindObstacles gate = make_quota_gate(corpus);
  for (const Workload& task : corpus.compiled) report(reporter, gate, task);
  for (const Workload& workload : corpus.workloads) {
    if (requests_gpu(workload.pod)) report(reporter, gate, workload);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "resources"}, .check = check};

}  // namespace gpulint::rules::exceeds_quota
