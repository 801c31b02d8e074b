#include "rules/dra-claim/claim_objects.h"

#include <string>

#include <fmt/format.h>

#include "compiler/model/dra.h"
#include "rules/dra-claim/claim_fixes.h"
#include "compiler/edit/edits.h"

namespace gpulint::rules::dra_claim {

void check_claim_object(const Corpus& corpus, Reporter& reporter, const ClaimIndex& index,
                        const KubernetesObject& object) {
  for (const DraProblem& problem : check_device_requests(object)) {
    const std::string version = object.api_version.value_or("");
    if (problem.kind == DraProblem::Kind::misplaced_class) {
      Finding finding = reporter.report_key(
          problem.node, "`{}` is no field of a request in `{}`",
          problem.detail == "deviceClassName" ? "exactly" : "deviceClassName", version);
      finding.related(object.api_version.node(), "the version")
          .help("there it is `{}`", problem.detail);
      offer_nested_class(corpus, finding, problem.node);
    } else {
      reporter.report(problem.node, "a request without a device class, which `{}` demands", version)
          .help("name it in `{}`, e.g. `gpu.nvidia.com`",
                version.ends_with("beta1") ? "deviceClassName" : "exactly.deviceClassName");
    }
  }
  for (const DeviceRequest& request : read_device_requests(object)) {
    const std::string name = request.device_class.value_or("");
    const auto meant = suggest_device_class(name);
    if (!meant || index.classes.contains(name)) continue;
    reporter
        .report(request.device_class.node(), "no driver is known to serve the device class `{}`",
                name)
        .help("NVIDIA's driver has `{}`", *meant)
        .fix(Safety::unsafe, fmt::format("use `{}`", *meant),
             replace_string(*corpus.sources, request.device_class.node(), *meant));
  }
}

}  // namespace gpulint::rules::dra_claim
