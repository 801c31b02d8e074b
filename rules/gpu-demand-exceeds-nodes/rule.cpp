#include "compiler/engine/rule.h"

#include "compiler/engine/reporter.h"
#include "compiler/schedule/gates/gates.h"
#include "rules/support/obstacles.h"

namespace gpulint::rules::gpu_demand_exceeds_nodes {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Crowd& crowd : find_crowds(corpus, corpus.placement))
    report(reporter, crowd.obstacles);
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "placement", .severity = Severity::warning},
                                 .check = check};

}  // namespace gpulint::rules::gpu_demand_exceeds_nodes
