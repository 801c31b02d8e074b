#include "compiler/policy/write_gatekeeper.h"

#include <string_view>

#include <fmt/format.h>

#include "compiler/ir/yaml_string.h"
#include "compiler/policy/resources.h"
#include "compiler/policy/write_vap.h"
#include "compiler/policy/yaml_lines.h"

namespace gpulint::policy {
namespace {

[[nodiscard]] std::string_view kind_of(const AdmissionPolicy& policy) {
  return policy.action == Action::deny ? "GpulintDeny" : "GpulintWarn";
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
  // Gatekeeper 3.23, pkg/drivers/k8scel/schema: in the singular; other keys are passed over.
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

}  // namespace

std::string write_gatekeeper(const std::vector<AdmissionPolicy>& policies) {
  std::string text;
  for (const AdmissionPolicy& policy : policies) {
    if (!text.empty()) text += "---\n";
    text += write_template(policy) + "---\n" + write_constraint(policy);
  }
  return text;
}

}  // namespace gpulint::policy
