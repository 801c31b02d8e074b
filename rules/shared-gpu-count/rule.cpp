#include "compiler/engine/rule.h"

#include "compiler/engine/reporter.h"
#include "compiler/schedule/gates/gates.h"
#include "rules/support/obstacles.h"

namespace gpulint::rules::shared_gpu_count {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  const FindObstacles gate = make_shared_count_gate(corpus);
  for (const auto* workloads : {&corpus.workloads, &corpus.compiled}) {
    for (const Workload& workload : *workloads) report(reporter, gate, workload);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "resources"}, .check = check};

}  // namespace gpulint::rules::shared_gpu_count
