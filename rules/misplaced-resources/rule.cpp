#include "compiler/engine/rule.h"

#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/api_validation/api_review.h"
#include "compiler/edit/edits.h"
#include "compiler/model/facts/gpu_resource.h"
#include "rules/misplaced-resources/field_homes.h"
#include "rules/support/api_problems.h"
#include "rules/support/queries.h"
#include "rules/support/resource_edits.h"

namespace gpulint::rules::misplaced_resources {
namespace {

/// Reports amounts of GPUs that stand beside `limits`.
void report_bare_amounts(const Corpus& corpus, Reporter& reporter, const Container& container) {
  for (const auto& [key, value] : container.resources.node.entries()) {
    const std::string_view name = key.text();
    if (name == "limits" || name == "requests" || !is_gpu_resource(name)) continue;
    reporter.report(key, "`{}` stands directly under `resources`, where nothing reads it", name)
        .help("it belongs under `limits`")
        .fix(Safety::unsafe, "move it into `limits`", move_to_limits(*corpus.sources, value));
  }
}

/// Reports a mapping, list or scalar where the API takes something else.
void report_shape(Reporter& reporter, const ApiProblem& problem) {
  constexpr std::string_view help = "the API server cannot read the object";
  const Node at = problem.node;
  const std::string_view name = last_field(problem);
  if (!at.is_scalar()) {
    reporter
        .report_key(at, "`{}` is a {}, where the API takes something else", name,
                    at.is_mapping() ? "mapping" : "list")
        .help("{}", help);
  } else if (at.key()) {
    reporter
        .report(at, "`{}` is a {}, where the API takes a {}", name, read_type(at),
                wanted_type(problem))
        .help("{}", help);
  } else {
    reporter
        .report(at, "an item of `{}` is a {}, where the API takes a {}", name, read_type(at),
                wanted_type(problem))
        .help("{}", help);
  }
}

[[nodiscard]] bool is_resource_list(std::string_view key) {
  return key == "limits" || key == "requests";
}

/// In containers of any kind of object, `limits` outside of resources, too.
void check_container(const Corpus& corpus, Reporter& reporter, const Container& container) {
  report_bare_amounts(corpus, reporter, container);
  for (const auto& [key, value] : container.node.entries()) {
    if (!is_resource_list(key.text())) continue;
    reporter
        .report(key, "`{}` stands {}, where nothing reads it", key.text(),
                container.resources.node ? "beside `resources`" : "directly in the container")
        .help("it belongs under the container's `resources`")
        .fix(Safety::unsafe, "move it there", move_into_resources(*corpus.sources, value));
  }
}

/// What the API server says of a place in the object.
void check_problem(const Corpus& corpus, Reporter& reporter, const ApiFinding& finding) {
  const Node at = finding.problem.node;
  const std::string_view written = at.text();
  if (is_wrong_shape(finding.problem)) {
    report_shape(reporter, finding.problem);
  } else if (is_pod_level_gpu(finding.problem)) {
    reporter.report(at, "pod-level `resources` take no `{}`", written)
        .help("it belongs to the `resources` of a container");
  } else if (finding.problem.issue == ApiIssue::unknown_field && !at.key() && written != "...") {
    const bool told =
        is_gpu_resource(written) || (is_resource_list(written) && at.parent().get("name"));
    if (told) return;
    check_unknown_field(corpus, reporter, at, describe_owner(finding.problem), finding.workload);
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  std::set<Span> told;  // several pods may have the same around them
  for (const Workload& workload : corpus.workloads) {
    if (workload.origin != Workload::Origin::manifest) continue;
    for (const Container& container : workload.pod.containers) {
      check_container(corpus, reporter, container);
      for (const Node key : find_pod_fields(workload, container)) {
        check_unknown_field(corpus, reporter, key, describe_owner(key), &workload);
      }
    }
    check_fields(corpus, reporter, workload, told);
    report_dynamo_amounts(reporter, workload);
  }
  for (const Workload& workload : corpus.fragments) {
    if (workload.origin != Workload::Origin::values) continue;
    for (const Container& container : workload.pod.containers) {
      report_bare_amounts(corpus, reporter, container);
    }
  }
  for (const KubernetesObject& object : corpus.objects) {
    if (object.kind.equals("Node")) continue;
    for (const Node spec : find_specs_in_metadata(object.node)) {
      if (is_unknown_to_api(corpus, spec)) continue;
      check_unknown_field(corpus, reporter, spec, describe_owner(spec), nullptr);
    }
  }
  for (const ApiFinding& finding : corpus.api->findings()) check_problem(corpus, reporter, finding);
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "resources", .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::misplaced_resources
