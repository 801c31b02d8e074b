#include "compiler/engine/rule.h"

#include <fmt/format.h>

#include "compiler/engine/reporter.h"
#include "rules/support/causes.h"
#include "rules/support/edits.h"

namespace gpulint::rules {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Cause* cause : causes_of<MissingResource>(corpus)) {
    const auto& resource = std::get<MissingResource>(cause->what);
    Finding finding = reporter.report_span(cause->where, cause->blame,
                                           "no known node offers `{}`, which {} requests",
                                           resource.name, describe_workloads(*cause));
    finding.related(cause->other, fmt::format("what {} offers", describe(*cause->pool)));
    if (!resource.offered.empty()) finding.help("known nodes offer {}", list(resource.offered));
    relate_workloads(finding, *cause);
    const Workload& workload = *cause->workloads.front();
    if (!cause->is_fix_verified || workload.origin != Workload::Origin::manifest) continue;
    if (!cause->blame.is_scalar() || cause->blame.text() != resource.name) continue;
    std::vector<Edit> edits;
    for (const Container& container : workload.pod.containers) {
      for (const auto* entries : {&container.resources.limits, &container.resources.requests}) {
        for (const ResourceEntry& entry : *entries) {
          if (entry.name.value != resource.name) continue;
          const auto renamed =
              replace_string(*corpus.sources, entry.name.node, resource.suggestion);
          edits.insert(edits.end(), renamed.begin(), renamed.end());
        }
      }
    }
    finding.fix(Safety::unsafe, fmt::format("request `{}`", resource.suggestion), std::move(edits));
  }
}

}  // namespace

extern constinit const Rule resource_not_offered;
constinit const Rule resource_not_offered{
    .info = {.id = "resource-not-offered",
             .category = "placement",
             .summary = "A workload requests an accelerator resource that no known node offers.",
             .severity = Severity::error,
             .fix = FixAvailability::unsafe},
    .check = check};

}  // namespace gpulint::rules
