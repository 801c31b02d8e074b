#pragma once

#include <string>

#include "compiler/api_validation/api_problem.h"
#include "compiler/ir/node.h"

namespace gpulint {

/// The API server's checks of whole objects whose bodies decode.
void validate_pod_object(Node object, ApiReport& report);
/// Deployment, ReplicaSet, DaemonSet and StatefulSet.
void validate_controller(Node object, std::string_view kind, ApiReport& report);
void validate_job(Node object, ApiReport& report);
void validate_cron_job(Node object, ApiReport& report);
void validate_pod_template_object(Node object, ApiReport& report);
void validate_node_object(Node object, ApiReport& report);
void validate_runtime_class(Node object, ApiReport& report);
void validate_resource_quota(Node object, ApiReport& report);

}  // namespace gpulint
