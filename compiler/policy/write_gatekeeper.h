#pragma once

#include <string>
#include <vector>

#include "compiler/policy/compose.h"

namespace gpulint::policy {

/// The same for Gatekeeper 3.17 and later: ConstraintTemplates of the engine K8sNativeValidation,
/// each with its constraint. Facts are literals.
[[nodiscard]] std::string write_gatekeeper(const std::vector<AdmissionPolicy>& policies);

}  // namespace gpulint::policy
