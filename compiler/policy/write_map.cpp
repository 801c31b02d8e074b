#include "compiler/policy/write_map.h"

#include <string_view>

#include <fmt/format.h>

#include "compiler/policy/cel_text.h"
#include "compiler/policy/write_vap.h"
#include "compiler/policy/yaml_lines.h"

namespace gpulint::policy {
namespace {

constexpr std::string_view name = "gpulint-mend";

/// Nothing where an annotation silences the rule.
[[nodiscard]] std::string expression_of(const ToldRule& rule) {
  return fmt::format("{} in variables.ignored || {} in variables.ignored ? [] :\n{}",
                     cel_string(rule.id), cel_string(rule.category), rule.policy.mutation);
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

}  // namespace

std::string write_map(const std::vector<ToldRule>& rules, const Given& given) {
  std::vector<std::string> mutations;
  std::vector<ToldRule> mending;
  for (const ToldRule& rule : rules) {
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
