#include "compiler/engine/rule.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/engine/reporter.h"
#include "compiler/model/gpu_resource.h"
#include "compiler/schedule/api/api_review.h"
#include "rules/support/api_problems.h"
#include "rules/support/edits.h"
#include "rules/support/field_homes.h"
#include "rules/support/move_edits.h"
#include "rules/support/queries.h"
#include "rules/support/resource_edits.h"

namespace gpulint::rules {
namespace {

[[nodiscard]] bool is_resource_list(std::string_view key) {
  return key == "limits" || key == "requests";
}

[[nodiscard]] std::vector<Edit> move_beside_metadata(const Corpus& corpus, Node key) {
  const bool is_spec = key.text() == "spec" && key.parent().key().text() == "metadata";
  const Node spec = key.parent().get("spec");
  if (!is_spec || !spec.is_mapping()) return {};
  return move_out(*corpus.sources, spec);
}

/// In containers of any kind of object: amounts outside of `limits`, `limits` outside of resources.
void check_container(const Corpus& corpus, Reporter& reporter, const Container& container) {
  for (const auto& [key, value] : container.resources.node.entries()) {
    if (!is_gpu_resource(key.text()) || is_resource_list(key.text())) continue;
    reporter
        .report(key, "`{}` stands directly under `resources`, where nothing reads it", key.text())
        .help("it belongs under `limits`")
        .fix(Safety::unsafe, "move it into `limits`", move_to_limits(*corpus.sources, value));
  }
  for (const auto& [key, value] : container.node.entries()) {
    if (!is_resource_list(key.text())) continue;
    reporter.report(key, "`{}` stands beside `resources`, where nothing reads it", key.text())
        .help("it belongs under the container's `resources`");
  }
}

/// `resourceClaims[].source`, which Kubernetes 1.31 flattened: deprecated-dra-api's business.
[[nodiscard]] bool is_of_classic_claims(Node key) {
  return key.text() == "source" && key.parent().parent().key().text() == "resourceClaims";
}

/// A field that its place does not know, where a field that decides about GPUs is meant.
void check_unknown_field(const Corpus& corpus, Reporter& reporter, Node key) {
  if (is_of_classic_claims(key)) return;
  const std::string_view written = key.text();
  const auto exact = std::ranges::find(homes, written, &Home::field);
  if (exact != homes.end()) {
    reporter
        .report(key, "`{}` stands under `{}`, where nothing reads it", written,
                key.parent().key() ? key.parent().key().text() : "the object")
        .help("it belongs to {}", exact->place)
        .fix(Safety::unsafe, "move it beside `metadata`", move_beside_metadata(corpus, key));
    return;
  }
  std::vector<std::string_view> fields;
  std::ranges::transform(homes, std::back_inserter(fields), &Home::field);
  const auto meant = nearest(written, fields);
  const bool near = meant && edit_distance(to_lower(written), to_lower(*meant), 2) <= 2;
  const Node value = key.parent().get(written);
  if (!near || key.parent().get(*meant)) {
    const Node owner = key.parent().key();
    reporter
        .report(key, "`{}` is no field of {}, so nothing reads it", written,
                owner ? fmt::format("`{}`", owner.text()) : std::string("the object"))
        .help("`kubectl apply` refuses the object for it");
    return;
  }
  reporter.report(key, "`{}` is no field, so nothing reads it", written)
      .help("did you mean `{}`?", *meant)
      .fix(Safety::unsafe, fmt::format("rename to `{}`", *meant),
           rename_key(*corpus.sources, value, *meant));
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Workload& workload : corpus.workloads) {
    if (workload.origin != Workload::Origin::manifest) continue;
    for (const Container& container : workload.pod.containers) {
      check_container(corpus, reporter, container);
    }
  }
  for (const ApiFinding& finding : corpus.api->findings) {
    const ApiProblem& problem = finding.problem;
    if (is_wrong_shape(problem)) {
      reporter
          .report_key(problem.node, "`{}` is a {}, where the API takes something else",
                      problem.node.key().text(), problem.node.is_mapping() ? "mapping" : "list")
          .help("the API server cannot read the object");
    }
    if (is_pod_level_gpu(problem)) {
      reporter.report(problem.node, "pod-level `resources` take no `{}`", problem.node.text())
          .help("it belongs to the `resources` of a container");
    }
    const std::string_view written = problem.node.text();
    if (problem.issue != ApiIssue::unknown_field || problem.node.key() || written == "...")
      continue;
    const bool told = is_gpu_resource(written) ||
                      (is_resource_list(written) && problem.node.parent().get("name"));
    if (!told) check_unknown_field(corpus, reporter, problem.node);
  }
}

}  // namespace

extern constinit const Rule misplaced_resources;
constinit const Rule misplaced_resources{
    .info = {.id = "misplaced-resources",
             .category = "resources",
             .summary =
                 "GPU resources or pod fields stand where Kubernetes does not look for them.",
             .severity = Severity::error,
             .fix = FixAvailability::unsafe},
    .check = check};

}  // namespace gpulint::rules
