#include "compiler/policy/write_policies.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "compiler/ir/yaml_string.h"
#include "compiler/policy/cel_text.h"
#include "compiler/policy/inputs.h"

namespace gpulint::policy {
namespace {

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

void put_conditions(YamlLines& yaml, std::size_t at, const AdmissionPolicy& policy,
                    std::string_view key = "matchConditions");
void put_variables(YamlLines& yaml, std::size_t at, const AdmissionPolicy& policy);

void put_validations(YamlLines& yaml, std::size_t at) {
  yaml.put(at, "validations");
  yaml.put_text(at, "- expression", "variables.findings == ''");
  // The API server drops a message of more than 5 KiB.
  yaml.put_text(at + 1, "messageExpression",
                "variables.findings.size() > 4000 ? variables.findings.substring(0, 4000) + ' …' : "
                "variables.findings");
  yaml.put_text(at + 1, "message", "gpulint has findings; see the audit log");
}

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
  // No audit annotations: the API server would compute all variables again for them, and it logs
  // the message of a failure by itself.
  put_validations(yaml, 1);
  return yaml.text();
}

void put_object(YamlLines& yaml, std::string_view kind, const std::string& name,
                std::string_view hash);

[[nodiscard]] std::string write_policy(const AdmissionPolicy& policy) {
  YamlLines yaml;
  put_object(yaml, "ValidatingAdmissionPolicy", policy.name, hash_of(policy));
  return yaml.text() + write_spec(policy);
}

void put_exemptions(YamlLines& yaml);

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

constexpr std::string_view definition = R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: gpufacts.gpulint.dev
  labels: {app.kubernetes.io/managed-by: gpulint}
spec:
  group: gpulint.dev
  names: {kind: GpuFacts, listKind: GpuFactsList, plural: gpufacts, singular: gpufacts}
  scope: Cluster
  versions:
  - name: v1alpha1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [openLabels, openResources, extendedResourceToleration, migStrategy, migLayouts, runtimeClass, pools]
            properties:
              openLabels: {type: array, items: {type: string}}
              openResources: {type: array, items: {type: string}}
              extendedResourceToleration: {type: string, enum: ["on", "off", declared-off, unknown]}
              migStrategy: {type: string}
              migLayouts: {type: array, items: {type: string}}
              runtimeClass: {type: string}
              pools:
                type: array
                items:
                  type: object
                  required: [labels, otherLabels, moreLabels, resources, moreResources, taints, open]
                  properties:
                    labels: {type: object, additionalProperties: {type: string}}
                    otherLabels: {type: array, items: {type: string}}
                    moreLabels: {type: boolean}
                    resources: {type: object, additionalProperties: {type: number}}
                    moreResources: {type: boolean}
                    taints:
                      type: array
                      items:
                        type: object
                        required: [key, value, effect]
                        properties: {key: {type: string}, value: {type: string}, effect: {type: string}}
                    open: {type: boolean}
)";

template <class Texts>
[[nodiscard]] std::string flow_list(const Texts& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + yaml_string(text);
  return "[" + list + "]";
}

void put_truth(YamlLines& yaml, std::size_t at, std::string_view key, bool value) {
  yaml.put(at, key, value ? "true" : "false");
}

void put_pool(YamlLines& yaml, const PoolFact& pool) {
  yaml.put(1, "- labels", pool.labels.empty() ? "{}" : "");
  for (const auto& [key, value] : pool.labels) yaml.put(3, yaml_string(key), yaml_string(value));
  yaml.put(2, "otherLabels", flow_list(pool.other_labels));
  put_truth(yaml, 2, "moreLabels", pool.more_labels);
  yaml.put(2, "resources", pool.resources.empty() ? "{}" : "");
  for (const auto& [name, amount] : pool.resources) {
    yaml.put(3, yaml_string(name), cel_double(amount));
  }
  put_truth(yaml, 2, "moreResources", pool.more_resources);
  yaml.put(2, "taints", pool.taints.empty() ? "[]" : "");
  for (const TaintFact& taint : pool.taints) {
    yaml.put(2, "- key", yaml_string(taint.key));
    yaml.put(3, "value", yaml_string(taint.value));
    yaml.put(3, "effect", yaml_string(taint.effect));
  }
  put_truth(yaml, 2, "open", pool.open);
}

[[nodiscard]] std::string write_spec(const Facts& facts) {
  YamlLines yaml;
  yaml.put(1, "openLabels", flow_list(facts.open_labels));
  yaml.put(1, "openResources", flow_list(facts.open_resources));
  yaml.put(1, "extendedResourceToleration", yaml_string(facts.extended_resource_toleration));
  yaml.put(1, "migStrategy", yaml_string(facts.mig_strategy));
  yaml.put(1, "migLayouts", flow_list(facts.mig_layouts));
  yaml.put(1, "runtimeClass", yaml_string(facts.runtime_class));
  yaml.put(1, "pools", facts.pools.empty() ? "[]" : "");
  for (const PoolFact& pool : facts.pools) put_pool(yaml, pool);
  return yaml.text();
}

[[nodiscard]] std::string_view kind_of(const AdmissionPolicy& policy) {
  return policy.action == Action::deny ? "GpulintDeny" : "GpulintWarn";
}

/// The label and annotation that mark an object of gpulint; `at` is their depth.
void put_marks(YamlLines& yaml, std::size_t at, std::string_view hash) {
  yaml.put(at, "labels", "{app.kubernetes.io/managed-by: gpulint}");
  if (!hash.empty())
    yaml.put(at, "annotations", fmt::format("{{{}: \"{}\"}}", hash_annotation, hash));
}

[[nodiscard]] std::string write_template(const AdmissionPolicy& policy) {
  YamlLines yaml;
  yaml.put(0, "apiVersion", "templates.gatekeeper.sh/v1");
  yaml.put(0, "kind", "ConstraintTemplate");
  yaml.put(0, "metadata");
  yaml.put(1, "name", policy.action == Action::deny ? "gpulintdeny" : "gpulintwarn");
  put_marks(yaml, 1, hash_of(policy));
  yaml.put(0, "spec");
  yaml.put(1, "crd", fmt::format("{{spec: {{names: {{kind: {}}}}}}}", kind_of(policy)));
  yaml.put(1, "targets");
  yaml.put(1, "- target", "admission.k8s.gatekeeper.sh");
  yaml.put(2, "code");
  yaml.put(2, "- engine", "K8sNativeValidation");
  yaml.put(3, "source");
  yaml.put(4, "failurePolicy", policy.action == Action::deny ? "Fail" : "Ignore");
  // Gatekeeper 3.23, pkg/drivers/k8scel/schema: the key is singular; other keys are ignored.
  put_conditions(yaml, 4, policy, "matchCondition");
  put_variables(yaml, 4, policy);
  put_validations(yaml, 4);
  return yaml.text();
}

[[nodiscard]] std::string write_constraint(const AdmissionPolicy& policy) {
  YamlLines yaml;
  yaml.put(0, "apiVersion", "constraints.gatekeeper.sh/v1beta1");
  yaml.put(0, "kind", kind_of(policy));
  yaml.put(0, "metadata");
  yaml.put(1, "name", policy.name);
  yaml.put(0, "spec");
  yaml.put(1, "enforcementAction", policy.action == Action::deny ? "deny" : "warn");
  yaml.put(1, "match");
  yaml.put(2, "excludedNamespaces", fmt::format("[{}]", exempt_namespaces));
  yaml.put(2, "kinds");
  for (const Resources& one : asked_resources()) {
    if (!policy.on.contains(one.on)) continue;
    yaml.put(2, "- apiGroups", fmt::format("[{}]", yaml_string(one.group)));
    yaml.put(3, "kinds", fmt::format("[{}]", one.kinds));
  }
  return yaml.text();
}

constexpr std::string_view name = "gpulint-mend";

/// No patches if an annotation ignores the rule.
[[nodiscard]] std::string expression_of(const AdmissionRule& rule) {
  return fmt::format("{}.exists(n, n in variables.ignored) ? [] :\n{}", cel_list(rule.names),
                     rule.policy.mutation);
}

[[nodiscard]] std::string write_spec_of(const AdmissionPolicy& policy,
                                        const std::vector<std::string>& mutations) {
  YamlLines yaml;
  yaml.put(1, "failurePolicy", "Ignore");
  yaml.put(1, "reinvocationPolicy", "IfNeeded");
  put_constraints(yaml, policy);
  put_conditions(yaml, 1, policy);
  put_variables(yaml, 1, policy);
  yaml.put(1, "mutations");
  for (const std::string& mutation : mutations) {
    yaml.put(1, "- patchType", "JSONPatch");
    yaml.put(2, "jsonPatch");
    yaml.put_text(3, "expression", mutation);
  }
  return yaml.text();
}

/// The head of an object, up to `spec:`.
void put_object(YamlLines& yaml, std::string_view kind, const std::string& name,
                std::string_view hash) {
  yaml.put(0, "apiVersion", "admissionregistration.k8s.io/v1");
  yaml.put(0, "kind", kind);
  yaml.put(0, "metadata");
  yaml.put(1, "name", name);
  put_marks(yaml, 1, hash);
  yaml.put(0, "spec");
}

void put_exemptions(YamlLines& yaml) {
  yaml.put(1, "matchResources");
  yaml.put(2, "namespaceSelector");
  yaml.put(3, "matchExpressions");
  yaml.put(3, "- key", "kubernetes.io/metadata.name");
  yaml.put(4, "operator", "NotIn");
  yaml.put(4, "values", fmt::format("[{}]", exempt_namespaces));
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

}  // namespace

void YamlLines::put(std::size_t at, std::string_view key, std::string_view value) {
  text_.append(2 * at, ' ').append(key).append(":");
  if (!value.empty()) text_.append(" ").append(value);
  text_ += '\n';
}

void YamlLines::put_text(std::size_t at, std::string_view key, std::string_view text) {
  if (text.find('\n') == std::string_view::npos) return put(at, key, yaml_string(text));
  put(at, key, "|-");
  const std::size_t deeper = 2 * at + (key.starts_with("- ") ? 4 : 2);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) text_.append(deeper, ' ').append(text.substr(0, end));
    text_ += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void YamlLines::put_comment(std::string_view text) { text_.append("# ").append(text).append("\n"); }

std::string hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a, 64 bits
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return fmt::format("{:016x}", hash);
}

std::string hash_of(const AdmissionPolicy& policy) { return hash_of(write_spec(policy)); }

std::string write_vap(const std::vector<AdmissionPolicy>& policies) {
  std::string text;
  for (const AdmissionPolicy& policy : policies) {
    if (!text.empty()) text += "---\n";
    text += write_policy(policy) + "---\n" + write_binding(policy);
  }
  return text;
}

std::string write_facts_definition() { return std::string(definition); }

std::string write_facts(const Facts& facts) {
  const std::string spec = write_spec(facts);
  YamlLines yaml;
  yaml.put(0, "apiVersion", facts_version);
  yaml.put(0, "kind", facts_kind);
  yaml.put(0, "metadata");
  yaml.put(1, "name", facts_name);
  put_marks(yaml, 1, hash_of(spec));
  yaml.put(0, "spec");
  return yaml.text() + spec;
}

std::string write_gatekeeper(const std::vector<AdmissionPolicy>& policies) {
  std::string text;
  for (const AdmissionPolicy& policy : policies) {
    if (!text.empty()) text += "---\n";
    text += write_template(policy) + "---\n" + write_constraint(policy);
  }
  return text;
}

std::string write_map(const std::vector<AdmissionRule>& rules, const Given& given) {
  std::vector<std::string> mutations;
  std::vector<AdmissionRule> mending;
  for (const AdmissionRule& rule : rules) {
    if (rule.policy.mutation.empty()) continue;
    mutations.push_back(expression_of(rule));
    mending.push_back(rule);
  }
  if (mutations.empty()) return {};
  const AdmissionPolicy policy = compose_mutations(mending, mutations, given, std::string(name));
  const std::string spec = write_spec_of(policy, mutations);
  YamlLines yaml;
  put_object(yaml, "MutatingAdmissionPolicy", policy.name, hash_of(spec));
  YamlLines binding;
  put_object(binding, "MutatingAdmissionPolicyBinding", policy.name, {});
  binding.put(1, "policyName", policy.name);
  put_exemptions(binding);
  return yaml.text() + spec + "---\n" + binding.text();
}

}  // namespace gpulint::policy
