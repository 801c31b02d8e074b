#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/policy/compose.h"
#include "compiler/policy/yaml_lines.h"

namespace gpulint::policy {

/// ValidatingAdmissionPolicies with their bindings, objects of admissionregistration.k8s.io/v1
/// (Kubernetes 1.30), as YAML for `kubectl apply -f -`.
[[nodiscard]] std::string write_vap(const std::vector<AdmissionPolicy>& policies);

/// The annotation by which a policy in a cluster is told from what would be written today.
inline constexpr std::string_view hash_annotation = "gpulint.dev/hash";
[[nodiscard]] std::string hash_of(const AdmissionPolicy& policy);
[[nodiscard]] std::string hash_of(std::string_view text);

/// Parts of such objects: head and `spec:`, what the policy is asked about, exempt namespaces.
void put_object(YamlLines& yaml, std::string_view kind, const std::string& name,
                std::string_view hash);
void put_constraints(YamlLines& yaml, const AdmissionPolicy& policy);
void put_exemptions(YamlLines& yaml);

/// Parts that other engines take as they are; `at` is their depth. Label and annotation that say
/// what an object is of:
void put_marks(YamlLines& yaml, std::size_t at, std::string_view hash);
void put_conditions(YamlLines& yaml, std::size_t at, const AdmissionPolicy& policy,
                    std::string_view key = "matchConditions");
void put_variables(YamlLines& yaml, std::size_t at, const AdmissionPolicy& policy);
void put_validations(YamlLines& yaml, std::size_t at);

}  // namespace gpulint::policy
