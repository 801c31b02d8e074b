#include "compiler/policy/write_vap.h"

#include <array>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "compiler/policy/write_facts.h"
#include "compiler/policy/yaml_lines.h"

namespace gpulint::policy {
namespace {

using On = RulePolicy::On;

/// Resources of one API group.
struct Resources {
  On on;
  std::string_view group;
  std::string_view operations;
  std::string_view names;
};

/// A Pod's containers stay as they are; what makes pods may be changed. Groups that a cluster does
/// not have do no harm.
constexpr std::array<Resources, 9> resources{{
    {On::pods, "", "CREATE", "pods"},
    {On::pods, "", "CREATE, UPDATE", "podtemplates, replicationcontrollers"},
    {On::pods, "apps", "CREATE, UPDATE", "deployments, statefulsets, daemonsets, replicasets"},
    {On::pods, "batch", "CREATE, UPDATE", "jobs, cronjobs"},
    {On::pods, "ray.io", "CREATE, UPDATE", "rayclusters, rayjobs, rayservices"},
    {On::pods, "kubeflow.org", "CREATE, UPDATE", "pytorchjobs, tfjobs, mpijobs"},
    {On::pods, "jobset.x-k8s.io", "CREATE, UPDATE", "jobsets"},
    {On::nodes, "", "CREATE, UPDATE", "nodes"},
    {On::quotas, "", "CREATE, UPDATE", "resourcequotas"},
}};

/// What the system runs is not users' to change, and the operator's own pods make nodes GPU nodes.
constexpr std::string_view exempt_namespaces = "kube-system, gpu-operator";

void put_head(YamlLines& yaml, std::string_view kind, const std::string& name) {
  yaml.put(0, "apiVersion", "admissionregistration.k8s.io/v1");
  yaml.put(0, "kind", kind);
  yaml.put(0, "metadata");
  yaml.put(1, "name", name);
  yaml.put(1, "labels", "{app.kubernetes.io/managed-by: gpulint}");
}

void put_matches(YamlLines& yaml, const AdmissionPolicy& policy) {
  yaml.put(1, "matchConstraints");
  yaml.put(2, "resourceRules");
  for (const Resources& one : resources) {
    if (!policy.on.contains(one.on)) continue;
    yaml.put(2, "- apiGroups", fmt::format("[{}]", yaml_scalar(one.group)));
    yaml.put(3, "apiVersions", one.group.empty() ? "[v1]" : "[\"*\"]");
    yaml.put(3, "operations", fmt::format("[{}]", one.operations));
    yaml.put(3, "resources", fmt::format("[{}]", one.names));
  }
  yaml.put(1, "matchConditions");
  for (const Variable& condition : policy.conditions) {
    yaml.put(1, "- name", condition.name);
    yaml.put_text(2, "expression", condition.expression);
  }
}

void put_variables(YamlLines& yaml, const AdmissionPolicy& policy) {
  yaml.put(1, "variables");
  for (const Variable& variable : policy.variables) {
    yaml.put(1, "- name", variable.name);
    yaml.put_text(2, "expression", variable.expression);
  }
}

void put_validation(YamlLines& yaml) {
  yaml.put(1, "validations");
  yaml.put_text(1, "- expression", "variables.findings == ''");
  // The API server drops a message of more than 5 KiB.
  yaml.put_text(2, "messageExpression",
                "variables.findings.size() > 4000 ? variables.findings.substring(0, 4000) + ' …' : "
                "variables.findings");
  yaml.put_text(2, "message", "gpulint has findings; the audit log has their text");
  yaml.put(1, "auditAnnotations");
  yaml.put(1, "- key", "findings");
  yaml.put_text(2, "valueExpression", "variables.findings");
}

[[nodiscard]] std::string write_policy(const AdmissionPolicy& policy) {
  YamlLines yaml;
  put_head(yaml, "ValidatingAdmissionPolicy", policy.name);
  yaml.put(0, "spec");
  yaml.put(1, "failurePolicy", policy.action == Action::deny ? "Fail" : "Ignore");
  if (policy.takes_parameters) {
    yaml.put(1, "paramKind",
             fmt::format("{{apiVersion: {}, kind: {}}}", facts_version, facts_kind));
  }
  put_matches(yaml, policy);
  put_variables(yaml, policy);
  put_validation(yaml);
  return yaml.text();
}

[[nodiscard]] std::string write_binding(const AdmissionPolicy& policy) {
  YamlLines yaml;
  put_head(yaml, "ValidatingAdmissionPolicyBinding", policy.name);
  yaml.put(0, "spec");
  yaml.put(1, "policyName", policy.name);
  yaml.put(1, "validationActions", policy.action == Action::deny ? "[Deny]" : "[Warn, Audit]");
  if (policy.takes_parameters) {
    yaml.put(1, "paramRef",
             fmt::format("{{name: {}, parameterNotFoundAction: Allow}}", facts_name));
  }
  yaml.put(1, "matchResources");
  yaml.put(2, "namespaceSelector");
  yaml.put(3, "matchExpressions");
  yaml.put(3, "- key", "kubernetes.io/metadata.name");
  yaml.put(4, "operator", "NotIn");
  yaml.put(4, "values", fmt::format("[{}]", exempt_namespaces));
  return yaml.text();
}

}  // namespace

std::string write_vap(const std::vector<AdmissionPolicy>& policies) {
  std::string text;
  for (const AdmissionPolicy& policy : policies) {
    if (!text.empty()) text += "---\n";
    text += write_policy(policy) + "---\n" + write_binding(policy);
  }
  return text;
}

}  // namespace gpulint::policy
