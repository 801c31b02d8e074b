#include "compiler/engine/rule.h"

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/model/facts/gpu_resource.h"
#include "rules/support/placement_causes.h"
#include "rules/support/pod_edits.h"

namespace gpulint::rules::untolerated_taint {
namespace {

using Miss = UntoleratedTaint::Miss;

/// The accelerator that the pod requests; `nvidia.com/gpu` if it requests none.
[[nodiscard]] std::string gpu_resource_of(const Workload& workload) {
  for (const Container& container : workload.pod.containers) {
    for (const ResourceEntry& entry : container.resources.limits) {
      if (is_gpu_resource(entry.name.value)) return entry.name.value;
    }
  }
  return "nvidia.com/gpu";
}

void offer_fix(const Corpus& corpus, const Cause& cause, const UntoleratedTaint& taint,
               Finding& finding) {
  const Workload& workload = *cause.workloads.front();
  const std::string_view otherwise = cause.workloads.size() == 1
                                         ? "Otherwise the pod stays Pending"
                                         : "Otherwise the pods stay Pending";
  if (taint.miss == Miss::key) {
    finding.help("replace the key `{}` of the toleration with `{}`. {}",
                 taint.near.key.value_or(""), taint.key, otherwise);
    if (!cause.is_fix_verified || taint.near.key.node().text() != taint.near.key.value_or(""))
      return;
    finding.fix(Safety::unsafe, fmt::format("tolerate `{}`", taint.key),
                replace_string(*corpus.sources, taint.near.key.node(), taint.key));
    return;
  }
  finding.help("add a toleration for the taint, or select nodes without the taint. {}", otherwise);
  if (!cause.is_fix_verified) return;
  const NewToleration added{taint.key, taint.value, taint.effect};
  finding.fix(Safety::unsafe, fmt::format("tolerate `{}`", taint_text(taint)),
              workload.origin == Workload::Origin::compiled
                  ? add_resource_tolerations(*corpus.sources, cause.demand,
                                             gpu_resource_of(workload), {added})
                  : add_tolerations(*corpus.sources, workload.pod, {added}));
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Cause* cause : causes_of<UntoleratedTaint>(corpus)) {
    const auto& taint = std::get<UntoleratedTaint>(cause->what);
    if (taint.miss == Miss::value || taint.miss == Miss::effect) continue;
    if (relies_on_admission(corpus, taint)) continue;
    Finding finding = reporter.report_span(cause->where, cause->demand,
                                           "{} does not tolerate the taint `{}` of GPU nodes",
                                           describe(*cause), taint_text(taint));
    finding.related(cause->other, fmt::format("the taint of {}", describe(*cause->pool)));
    offer_fix(corpus, *cause, taint, finding);
    relate_workloads(finding, *cause);
  }
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "placement", .fix = FixAvailability::unsafe, .proof = FixProof::placement},
    .check = check};

}  // namespace gpulint::rules::untolerated_taint
