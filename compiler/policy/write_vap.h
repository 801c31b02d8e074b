#pragma once

#include <string>
#include <vector>

#include "compiler/policy/compose.h"

namespace gpulint::policy {

/// ValidatingAdmissionPolicies with their bindings, objects of admissionregistration.k8s.io/v1
/// (Kubernetes 1.30), as YAML for `kubectl apply -f -`.
[[nodiscard]] std::string write_vap(const std::vector<AdmissionPolicy>& policies);

}  // namespace gpulint::policy
