#include "compiler/engine/rule.h"

#include <set>
#include <string>
#include <string_view>

#include "compiler/api_validation/api_review.h"
#include "compiler/edit/edits.h"
#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/kinds/operator_keys.h"
#include "compiler/schedule/gpu_relation.h"
#include "rules/support/api_problems.h"
#include "rules/support/queries.h"

namespace gpulint::rules::non_string_value {
namespace {

/// Whether YAML reads the scalar as a boolean or a number.
[[nodiscard]] bool is_no_string(Node value) {
  return value.is_scalar() && value.style() == Style::plain && !value.is_opaque() &&
         !value.is_null() && read_type(value) != "string";
}

/// Labels of eksctl's node groups. eksctl rejects the whole file if one is not a string.
void check_node_group(const Corpus& corpus, Reporter& reporter, const NodePool& pool) {
  for (const auto& [key, value] : pool.node.get("labels").entries()) {
    const bool is_about_gpus = mentions_gpu(key.text()) || mentions_gpu(pool.name) ||
                               !gpus_of_instance_type(pool.node.get("instanceType").text()).empty();
    if (!is_no_string(value) || !is_about_gpus) continue;
    reporter
        .report(value, "`{}` must be a string, but YAML reads `{}` as a {}", key.text(),
                value.text(), read_type(value))
        .help("eksctl rejects the whole file")
        .fix(Safety::safe, "quote the value", quote(*corpus.sources, value));
  }
}

/// Variables that the GPU Operator's chart passes on unchanged (`toYaml`). The API server rejects a
/// ClusterPolicy with a value that is not a string.
void check_variables(const Corpus& corpus, Reporter& reporter, Node parts) {
  walk(parts, [&](Node list) {
    if (!list.is_sequence() || !list.key() || list.key().text() != "env") return;
    for (const Node variable : list.items()) {
      const Node value = variable.get("value");
      if (!is_no_string(value) || !variable.get("name")) continue;
      reporter
          .report(value, "`value` must be a string, but YAML reads `{}` as a {}", value.text(),
                  read_type(value))
          .help("the API server rejects the ClusterPolicy")
          .fix(Safety::safe, "quote the value", quote(*corpus.sources, value));
    }
  });
}

/// Labels and annotations of custom resources with GPU pods. The metadata of every object has the
/// same type.
void check_metadata(const Corpus& corpus, Reporter& reporter, const std::set<Span>& told) {
  std::set<Span> seen;
  for (const Workload& workload : corpus.workloads) {
    const bool is_custom = workload.api_version.value_or("").find('.') != std::string::npos;
    if (workload.origin != Workload::Origin::manifest || !is_custom) continue;
    if (!may_request_gpu(workload.pod) || !seen.insert(workload.object.span()).second) continue;
    for (const std::string_view map : {"labels", "annotations"}) {
      for (const auto& [key, value] : workload.object.at("metadata", map).fields()) {
        if (!is_no_string(value) || told.contains(value.span())) continue;
        reporter
            .report(value, "`{}` must be a string, but YAML reads `{}` as a {}", key.text(),
                    value.text(), read_type(value))
            .help("the API server rejects the object")
            .fix(Safety::safe, "quote the value", quote(*corpus.sources, value));
      }
    }
  }
}

void check_operator(const Corpus& corpus, Reporter& reporter) {
  for (const KubernetesObject& object : corpus.objects) {
    const bool is_nvidias = object.api_version.value_or("").starts_with("nvidia.com/");
    const bool is_policy =
        object.kind.equals("ClusterPolicy") || object.kind.equals("NVIDIADriver");
    if (is_nvidias && is_policy) check_variables(corpus, reporter, object.node.get("spec"));
  }
  for (const ChartUse& use : corpus.chart_uses) {
    if (use.keys->name == "GPU Operator") check_variables(corpus, reporter, use.values);
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  check_operator(corpus, reporter);
  for (const NodePool& pool : corpus.cluster.pools) {
    const bool is_refused = pool.source == NodePool::Source::eksctl && !pool.error.empty();
    if (is_refused) check_node_group(corpus, reporter, pool);
  }
  std::set<Span> told;
  for (const ApiFinding& finding : corpus.api->findings()) {
    const ApiProblem& problem = finding.problem;
    const Node at = problem.node;
    if (problem.issue != ApiIssue::wrong_type || !at.is_scalar()) continue;
    if (leads_through(problem, "tolerations")) continue;
    if (wanted_type(problem) != "string") continue;
    const std::string_view name = last_field(problem);
    told.insert(at.span());
    reporter
        .report(at, "{}`{}` must be a string, but YAML reads `{}` as a {}",
                at.parent().is_sequence() ? "each item of the field " : "", name, at.text(),
                read_type(at))
        .help("the API server rejects the object")
        .fix(Safety::safe, "quote the value", quote(*corpus.sources, at));
  }
  check_metadata(corpus, reporter, told);
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "resources", .fix = FixAvailability::safe},
                                 .check = check};

}  // namespace gpulint::rules::non_string_value
