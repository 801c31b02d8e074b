#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/engine/reporter.h"
#include "compiler/model/dra.h"
#include "rules/dra-claim/claim_fixes.h"
#include "rules/dra-claim/claim_objects.h"
#include "rules/support/dra_queries.h"
#include "rules/support/queries.h"

namespace gpulint::rules::dra_claim {
namespace {

using Kind = DraProblem::Kind;

/// The claim's source names an object of the other kind.
void check_source(const Corpus& corpus, Reporter& reporter, const ClaimIndex& index, Node claim) {
  const auto mistaken = index.find_mistaken_source(claim);
  if (!mistaken) return;
  reporter
      .report(mistaken->name, "`{}` names `{}`, which is a {}", mistaken->name.key().text(),
              mistaken->name.text(), mistaken->object.kind.value())
      .related(mistaken->object.node.at("metadata", "name"), "the object")
      .help("use `{}`", mistaken->meant_key)
      .fix(Safety::unsafe, fmt::format("use `{}`", mistaken->meant_key),
           replace_string(*corpus.sources, mistaken->name.key(), mistaken->meant_key));
}

void report_undeclared(const Corpus& corpus, Reporter& reporter, const PodSpec& pod,
                       const std::vector<DraProblem>& problems, const DraProblem& problem) {
  Finding finding = reporter.report(
      problem.node, "the claim `{}` is not among the pod's `resourceClaims`", problem.detail);
  finding.related(pod.node.get("resourceClaims"), "the pod's claims")
      .help("the API server refuses the pod; list the claim there");
  offer_listed_claim(corpus, finding, pod, problems, problem);
}

void check_pod(const Corpus& corpus, Reporter& reporter, const ClaimIndex& index,
               const Workload& workload) {
  const PodSpec& pod = workload.pod;
  const std::vector<DraProblem> problems = find_claim_problems(workload);
  // A claim that no container uses may be the one that a container misspells.
  const bool has_undeclared = std::ranges::any_of(
      problems, [](const DraProblem& each) { return each.kind == Kind::undeclared_claim; });
  for (const DraProblem& problem : problems) {
    switch (problem.kind) {
      case Kind::undeclared_claim:
        report_undeclared(corpus, reporter, pod, problems, problem);
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
        // Devices of a class serve both.
        if (index.backed.contains(problem.detail)) break;
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
    check_source(corpus, reporter, index, claim);
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  const ClaimIndex index(corpus);
  for (const KubernetesObject& object : corpus.objects) {
    check_claim_object(corpus, reporter, index, object);
  }
  for (const Workload& workload : corpus.workloads) check_pod(corpus, reporter, index, workload);
}

}  // namespace

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "dra-claim",
             .category = "operators",
             .summary =
                 "A resource claim for GPUs that the pod, the API server or the driver cannot "
                 "serve.",
             .severity = Severity::error,
             .fix = FixAvailability::safe},
    .check = check};

}  // namespace gpulint::rules::dra_claim
