#include "compiler/engine/rule.h"

#include <fmt/format.h>

#include "rules/support/placement_causes.h"
#include "rules/support/pod_edits.h"

namespace gpulint::rules::relies_on_extended_resource_toleration {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Cause* cause : causes_of<UntoleratedTaint>(corpus)) {
    const auto& taint = std::get<UntoleratedTaint>(cause->what);
    if (!relies_on_admission(corpus, taint)) continue;
    const Workload& workload = *cause->workloads.front();
    const bool is_declared = corpus.settings->admission_plugins.has_value();
    Finding finding = is_declared
                          ? reporter.report_span(cause->where, cause->demand,
                                                 "{} does not tolerate the taint `{}` of GPU nodes",
                                                 describe(*cause), taint_text(taint))
                          : reporter.report_span(
                                cause->where, cause->demand,
                                "{} tolerates `{}` only if an admission plugin adds a toleration",
                                describe(*cause), taint_text(taint));
    finding.related(cause->other, fmt::format("{} has this taint", describe(*cause->pool)))
        .help("{}", is_declared
                        ? "add a toleration, or enable the admission plugin "
                          "ExtendedResourceToleration in the API server. Otherwise the pod stays "
                          "Pending"
                        : "add a toleration. If the cluster runs the admission plugin "
                          "ExtendedResourceToleration, set `cluster.admissionPlugins` or "
                          "`provider` in gpulint.yaml instead");
    if (is_declared) finding.severity(Severity::error);
    relate_workloads(finding, *cause);
    if (!cause->is_fix_verified || workload.origin == Workload::Origin::compiled) continue;
    finding.fix(Safety::unsafe, fmt::format("tolerate `{}`", taint_text(taint)),
                add_tolerations(*corpus.sources, workload.pod, {{taint.key, "", taint.effect}}));
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "placement",
                                          .severity = Severity::warning,
                                          .fix = FixAvailability::unsafe,
                                          .proof = FixProof::placement},
                                 .check = check};

}  // namespace gpulint::rules::relies_on_extended_resource_toleration
