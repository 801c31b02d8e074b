#include "compiler/policy/write_vap.h"

#include <cstdint>

#include <fmt/format.h>

#include "compiler/ir/yaml_string.h"
#include "compiler/policy/resources.h"
#include "compiler/policy/write_facts.h"

namespace gpulint::policy {
namespace {

[[nodiscard]] std::string write_spec(const AdmissionPolicy& policy) {
  YamlLines yaml;
  yaml.put(1, "failurePolicy", policy.action == Action::deny ? "Fail" : "Ignore");
  if (policy.takes_parameters) {
    yaml.put(1, "paramKind",
             fmt::format("{{apiVersion: {}, kind: {}}}", facts_version, facts_kind));
  }
  put_constraints(yaml, policy);
  put_conditions(yaml, 1, policy);
  put_variables(yaml, 1, policy);
  // No audit annotations: the API server computes all variables anew for them, and writes down the
  // message of what fails by itself.
  put_validations(yaml, 1);
  return yaml.text();
}

[[nodiscard]] std::string write_policy(const AdmissionPolicy& policy) {
  YamlLines yaml;
  put_object(yaml, "ValidatingAdmissionPolicy", policy.name, hash_of(policy));
  return yaml.text() + write_spec(policy);
}

[[nodiscard]] std::string write_binding(const AdmissionPolicy& policy) {
  YamlLines yaml;
  put_object(yaml, "ValidatingAdmissionPolicyBinding", policy.name, {});
  yaml.put(1, "policyName", policy.name);
  yaml.put(1, "validationActions", policy.action == Action::deny ? "[Deny]" : "[Warn, Audit]");
  if (policy.takes_parameters) {
    yaml.put(1, "paramRef",
             fmt::format("{{name: {}, parameterNotFoundAction: Allow}}", facts_name));
  }
  put_exemptions(yaml);
  return yaml.text();
}

}  // namespace

std::string hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a, 64 bits
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return fmt::format("{:016x}", hash);
}

void put_object(YamlLines& yaml, std::string_view kind, const std::string& name,
                std::string_view hash) {
  yaml.put(0, "apiVersion", "admissionregistration.k8s.io/v1");
  yaml.put(0, "kind", kind);
  yaml.put(0, "metadata");
  yaml.put(1, "name", name);
  put_marks(yaml, 1, hash);
  yaml.put(0, "spec");
}

void put_constraints(YamlLines& yaml, const AdmissionPolicy& policy) {
  yaml.put(1, "matchConstraints");
  yaml.put(2, "resourceRules");
  for (const Resources& one : asked_resources()) {
    if (!policy.on.contains(one.on)) continue;
    yaml.put(2, "- apiGroups", fmt::format("[{}]", yaml_string(one.group)));
    yaml.put(3, "apiVersions", one.group.empty() ? "[v1]" : "[\"*\"]");
    yaml.put(3, "operations", fmt::format("[{}]", one.operations));
    yaml.put(3, "resources", fmt::format("[{}]", one.names()));
  }
}

void put_exemptions(YamlLines& yaml) {
  yaml.put(1, "matchResources");
  yaml.put(2, "namespaceSelector");
  yaml.put(3, "matchExpressions");
  yaml.put(3, "- key", "kubernetes.io/metadata.name");
  yaml.put(4, "operator", "NotIn");
  yaml.put(4, "values", fmt::format("[{}]", exempt_namespaces));
}

std::string hash_of(const AdmissionPolicy& policy) { return hash_of(write_spec(policy)); }

void put_marks(YamlLines& yaml, std::size_t at, std::string_view hash) {
  yaml.put(at, "labels", "{app.kubernetes.io/managed-by: gpulint}");
  if (!hash.empty())
    yaml.put(at, "annotations", fmt::format("{{{}: \"{}\"}}", hash_annotation, hash));
}

void put_conditions(YamlLines& yaml, std::size_t at, const AdmissionPolicy& policy,
                    std::string_view key) {
  yaml.put(at, key);
  for (const Variable& condition : policy.conditions) {
    yaml.put(at, "- name", condition.name);
    yaml.put_text(at + 1, "expression", condition.expression);
  }
}

void put_variables(YamlLines& yaml, std::size_t at, const AdmissionPolicy& policy) {
  yaml.put(at, "variables");
  for (const Variable& variable : policy.variables) {
    yaml.put(at, "- name", variable.name);
    yaml.put_text(at + 1, "expression", variable.expression);
  }
}

void put_validations(YamlLines& yaml, std::size_t at) {
  yaml.put(at, "validations");
  yaml.put_text(at, "- expression", "variables.findings == ''");
  // The API server drops a message of more than 5 KiB.
  yaml.put_text(at + 1, "messageExpression",
                "variables.findings.size() > 4000 ? variables.findings.substring(0, 4000) + ' …' : "
                "variables.findings");
  yaml.put_text(at + 1, "message", "gpulint has findings; the audit log has their text");
}

std::string write_vap(const std::vector<AdmissionPolicy>& policies) {
  std::string text;
  for (const AdmissionPolicy& policy : policies) {
    if (!text.empty()) text += "---\n";
    text += write_policy(policy) + "---\n" + write_binding(policy);
  }
  return text;
}

}  // namespace gpulint::policy
