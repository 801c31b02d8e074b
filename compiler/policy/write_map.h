#pragma once

#include <string>
#include <vector>

#include "compiler/policy/compose.h"

namespace gpulint::policy {

/// A MutatingAdmissionPolicy with its binding (admissionregistration.k8s.io/v1, Kubernetes 1.36)
/// that carries out what rules can mend without a doubt; empty where none of the rules can.
[[nodiscard]] std::string write_map(const std::vector<ToldRule>& rules, const Given& given);

}  // namespace gpulint::policy
