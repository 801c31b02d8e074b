#include "compiler/engine/rule.h"

#include "compiler/engine/reporter.h"
#include "compiler/model/kinds/kueue.h"
#include "rules/queue-never-admits/kueue_workloads.h"
#include "rules/queue-never-admits/scheduler_limits.h"

namespace gpulint::rules::queue_never_admits {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  const KueueObjects kueue = read_kueue(corpus.objects);
  if (!kueue.local_queues.empty()) {
    check_kueue_namespaces(corpus, kueue, reporter);
    check_kueue_workloads(corpus, kueue, reporter);
  }
  check_kai_limits(corpus, reporter);
  check_volcano_capabilities(corpus, reporter);
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators"}, .check = check};

}  // namespace gpulint::rules::queue_never_admits
