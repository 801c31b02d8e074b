#include "compiler/engine/rule.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/ir/read.h"
#include "compiler/model/dra/dra.h"
#include "compiler/model/workload.h"
#include "rules/support/dra_queries.h"
#include "rules/support/typos.h"

namespace gpulint::rules::dra_claim {
namespace {

[[nodiscard]] std::vector<std::string> unused_claims(const std::vector<DraProblem>& problems) {
  std::vector<std::string> names;
  for (const DraProblem& problem : problems) {
    if (problem.kind == DraProblem::Kind::unused_claim) names.push_back(problem.detail);
  }
  return names;
}

/// The pod's claims with a name that `name` may misspell.
[[nodiscard]] std::vector<std::string> similar_claims(const PodSpec& pod, std::string_view name) {
  std::vector<std::string> similar;
  for (const Node claim : pod.node.get("resourceClaims").items()) {
    const Field<std::string> listed = read_string(claim, "name");
    if (listed.is_known() && is_slip_of(name, listed.value())) similar.push_back(listed.value());
  }
  return similar;
}

/// Corrects the name of a claim that the pod does not list: to the listed claim with a similar name
/// (safe, because the API server rejects the pod), else to the only claim that no container uses.
void offer_listed_claim(const Corpus& corpus, Finding& finding, const PodSpec& pod,
                        const std::vector<DraProblem>& problems, const DraProblem& undeclared) {
  std::vector<std::string> meant = similar_claims(pod, undeclared.detail);
  const Safety safety = meant.empty() ? Safety::unsafe : Safety::safe;
  if (meant.empty()) meant = unused_claims(problems);
  if (meant.size() != 1) return;
  finding.fix(safety, fmt::format("write `{}`", meant.front()),
              replace_string(*corpus.sources, undeclared.node, meant.front()));
}

/// Moves `deviceClassName` and the fields after it below `exactly`, if only the request's name is
/// before it. No fix for the reverse.
void offer_nested_class(const Corpus& corpus, Finding& finding, Node misplaced) {
  // The definition of an alias may be correct.
  if (misplaced.parent().parent().key().text() != "requests") return;
  const std::vector<Node::Entry> entries = misplaced.parent().entries();
  const auto at = std::ranges::find(entries, misplaced, &Node::Entry::value);
  const bool is_first = std::all_of(
      entries.begin(), at, [](const Node::Entry& entry) { return entry.key.text() == "name"; });
  const bool has_name_behind = std::any_of(
      at, entries.end(), [](const Node::Entry& entry) { return entry.key.text() == "name"; });
  if (misplaced.key().text() != "deviceClassName" || !is_first || has_name_behind) return;
  std::vector<Edit> edits = nest_from(*corpus.sources, misplaced, "exactly");
  if (edits.empty()) return;
  finding.help("the API server rejects the object, because `deviceClassName` must be in `exactly`")
      .fix(Safety::safe,
           std::next(at) == entries.end()
               ? "move `deviceClassName` into `exactly`"
               : "move `deviceClassName` and all later fields into `exactly`",
           std::move(edits));
}

/// Reports problems in the requests of a ResourceClaim or ResourceClaimTemplate.
void check_claim_object(const Corpus& corpus, Reporter& reporter, const ClaimIndex& index,
                        const KubernetesObject& object) {
  for (const DraProblem& problem : check_device_requests(object)) {
    const std::string version = object.api_version.value_or("");
    if (problem.kind == DraProblem::Kind::misplaced_class) {
      Finding finding = reporter.report_key(
          problem.node, "`{}` is not a field of a device request in `{}`",
          problem.detail == "deviceClassName" ? "exactly" : "deviceClassName", version);
      finding
          .related(object.api_version.node(),
                   fmt::format("this API version requires `{}`", problem.detail))
          .help("write `{}`. Otherwise the API server rejects the object", problem.detail);
      offer_nested_class(corpus, finding, problem.node);
    } else {
      reporter
          .report(problem.node, "a device request has no device class, but `{}` requires one",
                  version)
          .help(
              "set `{}`, for example to `gpu.nvidia.com`. Otherwise the API server rejects the "
              "object",
              version.ends_with("beta1") ? "deviceClassName" : "exactly.deviceClassName");
    }
  }
  for (const DeviceRequest& request : read_device_requests(object)) {
    const std::string name = request.device_class.value_or("");
    const auto meant = suggest_device_class(name);
    if (!meant || index.classes.contains(name)) continue;
    reporter
        .report(request.device_class.node(), "unknown DeviceClass `{}`; did you mean `{}`?", name,
                *meant)
        .help(
            "a claim for a missing DeviceClass is never allocated. NVIDIA's DRA driver creates "
            "the DeviceClass `{}`",
            *meant)
        .fix(Safety::unsafe, fmt::format("write `{}`", *meant),
             replace_string(*corpus.sources, request.device_class.node(), *meant));
  }
}

using Kind = DraProblem::Kind;

/// The claim's source names an object of the other kind.
void check_source(const Corpus& corpus, Reporter& reporter, const ClaimIndex& index, Node claim) {
  const auto mistaken = index.find_mistaken_source(claim);
  if (!mistaken) return;
  const std::string_view name = mistaken->name.resolved().text();
  const bool is_claim = mistaken->name.key().text() == "resourceClaimName";
  reporter
      .report(mistaken->name, "`{}` names `{}`, but `{}` is a {}", mistaken->name.key().text(),
              name, name, mistaken->object.kind.value())
      .related(mistaken->object.node.at("metadata", "name"),
               fmt::format("the {} with this name", mistaken->object.kind.value()))
      .help("the pod stays Pending, because Kubernetes searches for a {} with this name",
            is_claim ? "ResourceClaim" : "ResourceClaimTemplate")
      .fix(Safety::unsafe, fmt::format("rename the field to `{}`", mistaken->meant_key),
           replace_string(*corpus.sources, mistaken->name.key(), mistaken->meant_key));
}

void report_undeclared(const Corpus& corpus, Reporter& reporter, const PodSpec& pod,
                       const std::vector<DraProblem>& problems, const DraProblem& problem) {
  Finding finding = reporter.report(
      problem.node, "the claim `{}` is missing from the pod's `resourceClaims`", problem.detail);
  finding.related(pod.node.get("resourceClaims"), "the pod has only these claims")
      .help(
          "add the claim `{}` to `resourceClaims`, or correct the name. Otherwise the API server "
          "rejects the pod",
          problem.detail);
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
            .help(
                "add the claim to `resources.claims` of a container. Otherwise Kubernetes "
                "allocates a GPU that no container can use")
            .severity(Severity::warning);
        break;
      case Kind::claim_source:
        reporter.report(problem.node,
                        "an entry of `resourceClaims` must set either `resourceClaimName` or "
                        "`resourceClaimTemplateName`");
        break;
      case Kind::gpu_twice:
        // A class that backs the resource serves both.
        if (index.backed.contains(problem.detail)) break;
        if (const auto claim = index.gpu_claim_beside(pod, problem.node)) {
          reporter
              .report(problem.node,
                      "a container requests `{}`, but its claim `{}` also requests a GPU",
                      problem.detail, claim->value)
              .related(claim->node, "this claim also requests a GPU")
              .help(
                  "remove `{}`, or remove the claim `{}`. Otherwise the container requests GPUs "
                  "twice. Most nodes offer GPUs through a device plugin or through DRA, not both",
                  problem.detail, claim->value);
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

extern constinit const Rule rule{.info = {.category = "operators", .fix = FixAvailability::safe},
                                 .check = check};

}  // namespace gpulint::rules::dra_claim
