#include "compiler/engine/rule.h"

#include "compiler/engine/reporter.h"
#include "compiler/schedule/gates/gates.h"
#include "rules/support/obstacles.h"

namespace gpulint::rules::exceeds_hami_cards {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  const FindObstacles gate = make_card_gate(corpus);
  for (const Workload& workload : corpus.workloads) report(reporter, gate, workload);
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "placement"}, .check = check};

}  // namespace gpulint::rules::exceeds_hami_cards
