#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <vector>

#include "compiler/engine/reporter.h"
#include "compiler/model/dra.h"
#include "rules/support/dra_queries.h"
#include "rules/support/queries.h"

namespace gpulint::rules {
namespace {

using Kind = DraProblem::Kind;

void check_claim_object(Reporter& reporter, const ClaimIndex& index,
                        const KubernetesObject& object) {
  for (const DraProblem& problem : check_device_requests(object)) {
    const std::string version = object.api_version.value_or("");
    if (problem.kind == Kind::misplaced_class) {
      reporter
          .report_key(problem.node, "`{}` is no field of a request in `{}`",
                      problem.node.key().text(), version)
          .related(object.api_version.node(), "the version")
          .help("there it is `{}`", problem.detail);
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
        .help("NVIDIA's driver has `{}`", *meant);
  }
}

/// The claim's source names an object of the other kind.
void check_source(Reporter& reporter, const ClaimIndex& index, Node claim) {
  const auto mistaken = index.find_mistaken_source(claim);
  if (!mistaken) return;
  reporter
      .report(mistaken->name, "`{}` names `{}`, which is a {}", mistaken->name.key().text(),
              mistaken->name.text(), mistaken->object.kind.value())
      .related(mistaken->object.node.at("metadata", "name"), "the object")
      .help("use `{}`", mistaken->meant_key);
}

void check_pod(Reporter& reporter, const ClaimIndex& index, const Workload& workload) {
  const PodSpec& pod = workload.pod;
  const std::vector<DraProblem> problems = find_claim_problems(workload);
  // A claim that no container uses may be the one that a container misspells.
  const bool has_undeclared = std::ranges::any_of(
      problems, [](const DraProblem& each) { return each.kind == Kind::undeclared_claim; });
  for (const DraProblem& problem : problems) {
    switch (problem.kind) {
      case Kind::undeclared_claim:
        reporter
            .report(problem.node, "the claim `{}` is not among the pod's `resourceClaims`",
                    problem.detail)
            .related(pod.node.get("resourceClaims"), "the pod's claims")
            .help("the API server refuses the pod; list the claim there");
        break;
      case Kind::unused_claim:
        if (has_undeclared || !index.is_gpu_claim(pod, problem.detail)) break;
        reporter.report(problem.node, "no container uses the claim `{}`", problem.detail)
            .help("a GPU is reserved and no container sees it; name it in `resources.claims`")
            .severity(Severity::warning);
        break;
      case Kind::claim_source:
        reporter.report(problem.node,
                        "a claim needs one of `resourceClaimName`, `resourceClaimTemplateName`");
        break;
      case Kind::gpu_twice:
        if (const auto claim = index.gpu_claim_beside(pod, problem.node)) {
          reporter
              .report(problem.node, "a container asks for `{}` and claims a GPU by `{}`, too",
                      problem.detail, claim->value)
              .related(claim->node, "the claim")
              .help("these are two GPUs, of which most nodes can serve one kind only");
        }
        break;
      case Kind::misplaced_class:
      case Kind::no_class:
        break;
    }
  }
  for (const Node claim : pod.node.get("resourceClaims").items()) {
    check_source(reporter, index, claim);
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  const ClaimIndex index(corpus);
  for (const KubernetesObject& object : corpus.objects) {
    check_claim_object(reporter, index, object);
  }
  for (const Workload& workload : corpus.workloads) check_pod(reporter, index, workload);
}

}  // namespace

extern constinit const Rule dra_claim;
constinit const Rule dra_claim{
    .info = {.id = "dra-claim",
             .category = "operators",
             .summary =
                 "A resource claim for GPUs that the pod, the API server or the driver cannot "
                 "serve.",
             .severity = Severity::error,
             .fix = FixAvailability::none},
    .check = check};

}  // namespace gpulint::rules
