#include "compiler/policy/write_facts.h"

#include <fmt/format.h>

#include "compiler/ir/yaml_string.h"
#include "compiler/policy/cel_text.h"
#include "compiler/policy/write_vap.h"
#include "compiler/policy/yaml_lines.h"

namespace gpulint::policy {
namespace {

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
                  required: [name, labels, otherLabels, moreLabels, resources, moreResources, taints, open]
                  properties:
                    name: {type: string}
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
  yaml.put_text(1, "- name", pool.name);
  yaml.put(2, "labels", pool.labels.empty() ? "{}" : "");
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

}  // namespace

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

}  // namespace gpulint::policy
