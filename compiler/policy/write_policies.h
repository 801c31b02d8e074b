#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/policy/compose.h"
#include "compiler/policy/node_facts.h"

namespace gpulint::policy {

/// Writes YAML line by line: readable for people who review a policy, and the same bytes for the
/// same inputs.
class YamlLines {
 public:
  /// `key: value`, or only `key:`; `at` is the depth in steps of two blanks. The key may begin with
  /// `- `.
  void put(std::size_t at, std::string_view key, std::string_view value = {});
  /// Any text as the value of a key, as a literal block if it has several lines.
  void put_text(std::size_t at, std::string_view key, std::string_view text);
  void put_comment(std::string_view text);

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// ValidatingAdmissionPolicies with their bindings, objects of admissionregistration.k8s.io/v1
/// (Kubernetes 1.30), as YAML for `kubectl apply -f -`.
[[nodiscard]] std::string write_vap(const std::vector<AdmissionPolicy>& policies);

/// The annotation that shows whether a policy in a cluster is up to date.
inline constexpr std::string_view hash_annotation = "gpulint.dev/hash";
[[nodiscard]] std::string hash_of(const AdmissionPolicy& policy);
[[nodiscard]] std::string hash_of(std::string_view text);

/// The cluster-scoped object with the facts of policies that do not contain them.
inline constexpr std::string_view facts_version = "gpulint.dev/v1alpha1";
inline constexpr std::string_view facts_kind = "GpuFacts";
inline constexpr std::string_view facts_name = "gpulint";

/// The CustomResourceDefinition and the object, as YAML.
[[nodiscard]] std::string write_facts_definition();
[[nodiscard]] std::string write_facts(const Facts& facts);

/// The same for Gatekeeper 3.17 and later: ConstraintTemplates of the engine K8sNativeValidation,
/// each with its constraint. The facts are literals.
[[nodiscard]] std::string write_gatekeeper(const std::vector<AdmissionPolicy>& policies);

/// A MutatingAdmissionPolicy with its binding (admissionregistration.k8s.io/v1, Kubernetes 1.36)
/// that applies the safe fixes of rules; empty if none of the rules has one.
[[nodiscard]] std::string write_map(const std::vector<AdmissionRule>& rules, const Given& given);

}  // namespace gpulint::policy
