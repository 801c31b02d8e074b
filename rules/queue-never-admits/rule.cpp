#include "compiler/engine/rule.h"

#include "compiler/engine/reporter.h"
#include "compiler/model/kinds/kueue.h"
#include "compiler/schedule/describe.h"
#include "compiler/schedule/gates/gates.h"
#include "compiler/schedule/gpu_relation.h"
#include "rules/support/obstacles.h"

namespace gpulint::rules::queue_never_admits {
namespace {

/// Kueue 0.15 removed the annotation (kubernetes-sigs/kueue 6b1f9388bc).
void check_annotation(const Workload& workload, Reporter& reporter) {
  const Node name = queue_annotation(workload);
  if (!name) return;
  reporter
      .report_key(name, "Kueue 0.15 and later ignore the queue name in the annotation `{}`",
                  name.key().text())
      .help(
          "write the queue name in the label `{}`. Otherwise Kueue does not queue {}, and a "
          "suspended workload never starts",
          name.key().text(), describe(workload))
      .severity(Severity::warning);
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const ClosedQueue& queue : find_closed_queues(corpus, read_kueue(corpus.objects))) {
    report(reporter, queue.obstacles);
  }
  const FindObstacles kueue = make_kueue_gate(corpus);
  const FindObstacles schedulers = make_scheduler_queue_gate(corpus);
  for (const Workload& workload : corpus.workloads) {
    if (requests_gpu(workload.pod)) {
      report(reporter, kueue, workload);
      check_annotation(workload, reporter);
    }
    report(reporter, schedulers, workload);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators"}, .check = check};

}  // namespace gpulint::rules::queue_never_admits
