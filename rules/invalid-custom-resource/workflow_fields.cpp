#include "rules/invalid-custom-resource/workflow_fields.h"

#include <array>
#include <string>
#include <string_view>

#include "compiler/base/text.h"
#include "compiler/ir/read.h"
#include "rules/support/queries.h"

namespace gpulint::rules::invalid_custom_resource {
namespace {

void check_field(Reporter& reporter, Node owner, std::string_view what) {
  const Field<std::string> name = read_string(owner, "runtimeClassName");
  if (!name.is_known() || name.value().empty()) return;
  reporter.report_key(name.node(), "`runtimeClassName` is no field of {}", what)
      .severity(Severity::warning)
      .help("Argo passes it over; write `podSpecPatch: '{{\"runtimeClassName\": \"{}\"}}'`",
            name.value());
}

}  // namespace

void check_workflow_fields(const Corpus& corpus, Reporter& reporter) {
  constexpr std::array<std::string_view, 4> kinds{"ClusterWorkflowTemplate", "CronWorkflow",
                                                  "Workflow", "WorkflowTemplate"};
  for (const KubernetesObject& object : corpus.objects) {
    const bool is_workflow = is_listed(kinds, object.kind.value_or("")) &&
                             object.api_version.value_or("").starts_with("argoproj.io/");
    if (!is_workflow || !makes_gpu_pods(corpus, object.node)) continue;
    const Node own = object.node.get("spec");
    const Node spec = object.kind.equals("CronWorkflow") ? own.get("workflowSpec") : own;
    check_field(reporter, spec, "a workflow");
    for (const Node step : spec.get("templates").items()) {
      check_field(reporter, step, "a workflow's template");
    }
  }
}

}  // namespace gpulint::rules::invalid_custom_resource
