#pragma once

#include <vector>

#include "compiler/ir/document.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// Gives the pods of Argo Workflows what `workflowDefaults` of its controller says of all workflows
/// (argo-workflows 4.0, «Default Workflow Spec»: ConfigMap `workflow-controller-configmap`, or
/// `controller.workflowDefaults` of the chart), where their own workflow says nothing.
void add_workflow_defaults(const std::vector<const Document*>& documents,
                           std::vector<Workload>& workloads);

}  // namespace gpulint
