#include "compiler/engine/rule.h"

#include <fmt/format.h>

#include "compiler/engine/reporter.h"
#include "rules/support/causes.h"
#include "rules/support/mig_strategy.h"
#include "rules/support/resource_edits.h"

namespace gpulint::rules {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  const MigStrategies strategies(corpus);
  for (const Cause* cause : causes_of<MissingResource>(corpus)) {
    if (strategies.explains(*cause)) continue;
    const auto& resource = std::get<MissingResource>(cause->what);
    Finding finding = reporter.report_span(
        cause->where, cause->blame, "no known node{} offers `{}`, which {} requests",
        resource.is_elsewhere ? " with the labels that it demands" : "", resource.name,
        describe_workloads(*cause));
    finding.related(cause->other, fmt::format("what {} offers", describe(*cause->pool)));
    if (!resource.offered.empty())
      finding.help("{} offer {}", resource.is_elsewhere ? "such nodes" : "known nodes",
                   list(resource.offered));
    relate_workloads(finding, *cause);
    const Workload& workload = *cause->workloads.front();
    if (!cause->is_fix_verified || workload.origin != Workload::Origin::manifest) continue;
    if (!cause->blame.is_scalar() || cause->blame.text() != resource.name) continue;
    finding.fix(Safety::unsafe, fmt::format("request `{}`", resource.suggestion),
                rename_resource(*corpus.sources, workload.pod, resource.name, resource.suggestion));
  }
}

}  // namespace

extern constinit const Rule resource_not_offered;
constinit const Rule resource_not_offered{
    .info = {.id = "resource-not-offered",
             .category = "placement",
             .summary = "A workload requests an accelerator resource that no known node offers.",
             .severity = Severity::error,
             .fix = FixAvailability::unsafe,
             .proof = FixProof::placement},
    .check = check};

}  // namespace gpulint::rules
