#pragma once

#include <vector>

#include "compiler/model/kinds/operator_pods.h"

namespace gpulint {

/// The pods of a Workflow's `spec`, `workflowSpec` of a CronWorkflow included (argo-workflows 4.0,
/// workflow/controller/workflowpod.go): each template with `container`, `script` or
/// `containerSet`, also those written `inline` in steps and tasks. Where a template may run, it
/// says itself, else `templateDefaults`, else the steps or tasks that run it, else the workflow.
[[nodiscard]] std::vector<OperatorPod> read_argo_pods(const KubernetesObject& object);

}  // namespace gpulint
