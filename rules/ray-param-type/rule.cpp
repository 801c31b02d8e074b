#include "compiler/engine/rule.h"

#include "compiler/engine/reporter.h"
#include "rules/support/edits.h"
#include "rules/support/queries.h"
#include "rules/support/ray_queries.h"

namespace gpulint::rules {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  for (const RayCluster& cluster : all_ray_clusters(corpus)) {
    for (const RayProblem& problem : cluster.problems) {
      if (problem.kind != RayProblem::Kind::not_a_string || !problem.node.is_scalar()) continue;
      const Node at = problem.node;
      if (at.parent().key().text() != "rayStartParams") continue;
      reporter
          .report(at, "`{}: {}` is a {}; Ray's start parameters are strings", at.key().text(),
                  at.text(), read_type(at))
          .help("the API server refuses the whole object for it")
          .fix(Safety::safe, "quote it", quote(*corpus.sources, at));
    }
  }
}

}  // namespace

extern constinit const Rule ray_param_type;
constinit const Rule ray_param_type{
    .info = {.id = "ray-param-type",
             .category = "operators",
             .summary = "A Ray start parameter is not a string, and the object is refused.",
             .severity = Severity::error,
             .fix = FixAvailability::safe},
    .check = check};

}  // namespace gpulint::rules
