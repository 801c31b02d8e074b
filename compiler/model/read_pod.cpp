#include "compiler/model/read_pod.h"

#include <utility>

#include "compiler/ir/read.h"
#include "compiler/ir/scalar.h"

namespace gpulint {
namespace {

/// A scalar placeholder instead of a collection: its content is unknown.
[[nodiscard]] bool is_opaque_scalar(Node node) { return node.is_scalar() && node.is_opaque(); }

[[nodiscard]] bool has_opaque_item(Node sequence) {
  for (const Node item : sequence.items()) {
    if (is_opaque_scalar(item)) return true;
  }
  return false;
}

/// Whether a mapping has a placeholder among its entries: a key or value that represents several.
[[nodiscard]] bool has_opaque_key(Node mapping) {
  for (const Node::Entry& entry : mapping.fields()) {
    if (entry.key.is_opaque()) return true;
  }
  return false;
}

[[nodiscard]] bool is_mapping_or_null(Node node) { return node.is_mapping() || node.is_null(); }

[[nodiscard]] Field<std::string> read_map_string(Node value) {
  if (value.is_null()) return Field<std::string>::known("", value);
  return read_string(value);
}

[[nodiscard]] SelectorRequirement read_selector_requirement(Node item) {
  SelectorRequirement result{.node = item,
                             .key = read_string(item, "key"),
                             .op = read_string(item, "operator"),
                             .values = {}};
  const Node values = item.get("values");
  if (is_opaque_scalar(values)) result.values.push_back(Field<std::string>::opaque(values));
  for (const Node value : values.items()) result.values.push_back(read_map_string(value));
  return result;
}

[[nodiscard]] SelectorTerm read_selector_term(Node term, Node entry) {
  return {.node = entry,
          .expressions = read_selector_requirements(term.get("matchExpressions")),
          .fields = read_selector_requirements(term.get("matchFields")),
          .weight = 0};
}

[[nodiscard]] std::vector<Value<std::string>> read_names(Node sequence) {
  std::vector<Value<std::string>> names;
  for (const Node item : sequence.items()) {
    const Field<std::string> name = read_string(item, "name");
    if (name.is_known()) names.push_back({name.value(), name.node()});
  }
  return names;
}

[[nodiscard]] std::vector<EnvVar> read_env(Node sequence) {
  std::vector<EnvVar> env;
  for (const Node item : sequence.items()) {
    if (item.is_mapping())
      env.push_back({item, read_string(item, "name"), read_string(item, "value")});
  }
  return env;
}

[[nodiscard]] std::vector<VolumeMount> read_volume_mounts(Node sequence) {
  std::vector<VolumeMount> mounts;
  for (const Node item : sequence.items()) {
    if (!item.is_mapping()) continue;
    mounts.push_back({item, read_string(item, "name"), read_string(item, "mountPath")});
  }
  return mounts;
}

[[nodiscard]] std::vector<Volume> read_volumes(Node sequence) {
  std::vector<Volume> volumes;
  for (const Node item : sequence.items()) {
    if (!item.is_mapping()) continue;
    volumes.push_back({item, read_string(item, "name"), read_string(item.get("hostPath"), "path")});
  }
  return volumes;
}

void read_containers(Node spec, std::vector<Container>& containers) {
  for (const Node item : spec.get("initContainers").items()) {
    if (!item.is_mapping()) continue;
    const bool is_sidecar = read_string(item, "restartPolicy").equals("Always");
    containers.push_back(
        read_container(item, is_sidecar ? ContainerKind::sidecar : ContainerKind::init));
  }
  for (const Node item : spec.get("containers").items()) {
    if (item.is_mapping()) containers.push_back(read_container(item, ContainerKind::main));
  }
  for (const Node item : spec.get("ephemeralContainers").items()) {
    if (item.is_mapping()) containers.push_back(read_container(item, ContainerKind::ephemeral));
  }
}

/// A `nodeAffinity` mapping. The node of a preferred term is its entry (`weight`, `preference`).
[[nodiscard]] NodeAffinity read_node_affinity(Node node_affinity) {
  NodeAffinity result;
  result.node = node_affinity;
  const Node required = node_affinity.get("requiredDuringSchedulingIgnoredDuringExecution");
  result.has_required = required.is_mapping();
  result.required = read_node_selector(required);
  const Node preferred = node_affinity.get("preferredDuringSchedulingIgnoredDuringExecution");
  for (const Node entry : preferred.items()) {
    if (!is_mapping_or_null(entry)) continue;
    SelectorTerm term = read_selector_term(entry.get("preference"), entry);
    term.weight = read_int(entry, "weight").value_or(0);
    result.preferred.push_back(std::move(term));
  }
  return result;
}

}  // namespace

Field<Quantity> read_quantity(Node scalar) {
  if (!scalar) return {};
  if (scalar.is_null()) return Field<Quantity>::known(Quantity{}, scalar);
  if (scalar.is_opaque()) return Field<Quantity>::opaque(scalar);
  if (!scalar.is_scalar()) return Field<Quantity>::mistyped(scalar);
  const auto value = read_kubernetes_scalar(scalar);
  if (!value || value->type == KubernetesScalar::Type::boolean)
    return Field<Quantity>::mistyped(scalar);
  const std::optional<Quantity> quantity = Quantity::parse(value->text);
  return quantity ? Field<Quantity>::known(quantity->rounded_up_to_milli(), scalar)
                  : Field<Quantity>::mistyped(scalar);
}

std::vector<ResourceEntry> read_resource_list(Node mapping) {
  std::vector<ResourceEntry> entries;
  for (const Node::Entry& entry : mapping.fields()) {
    std::optional<std::string> name = read_kubernetes_key(entry.key);
    if (name) entries.push_back({{std::move(*name), entry.key}, read_quantity(entry.value)});
  }
  return entries;
}

std::vector<LabelEntry> read_string_map(Node mapping) {
  std::vector<LabelEntry> entries;
  for (const Node::Entry& entry : mapping.fields()) {
    std::optional<std::string> key = read_kubernetes_key(entry.key);
    if (key) entries.push_back({{std::move(*key), entry.key}, read_map_string(entry.value)});
  }
  return entries;
}

ResourceRequirements read_resources(Node resources) {
  ResourceRequirements result{.node = resources,
                              .limits_node = resources.get("limits"),
                              .requests_node = resources.get("requests"),
                              .limits = {},
                              .requests = {},
                              .claims = read_names(resources.get("claims")),
                              .opaque = false};
  result.limits = read_resource_list(result.limits_node);
  result.requests = read_resource_list(result.requests_node);
  for (const Node part : {resources, result.limits_node, result.requests_node}) {
    result.opaque = result.opaque || is_opaque_scalar(part) || has_opaque_key(part);
  }
  return result;
}

std::vector<Toleration> read_tolerations(Node sequence) {
  std::vector<Toleration> tolerations;
  for (const Node item : sequence.items()) {
    if (!is_mapping_or_null(item)) continue;
    tolerations.push_back({.node = item,
                           .key = read_string(item, "key"),
                           .op = read_string(item, "operator"),
                           .value = read_string(item, "value"),
                           .effect = read_string(item, "effect"),
                           .toleration_seconds = read_int(item, "tolerationSeconds")});
  }
  return tolerations;
}

std::vector<Taint> read_taints(Node sequence) {
  std::vector<Taint> taints;
  for (const Node item : sequence.items()) {
    if (!is_mapping_or_null(item)) continue;
    taints.push_back({.node = item,
                      .key = read_string(item, "key"),
                      .value = read_string(item, "value"),
                      .effect = read_string(item, "effect")});
  }
  return taints;
}

std::vector<SelectorRequirement> read_selector_requirements(Node sequence) {
  std::vector<SelectorRequirement> requirements;
  for (const Node item : sequence.items()) {
    if (is_mapping_or_null(item)) requirements.push_back(read_selector_requirement(item));
  }
  return requirements;
}

std::vector<SelectorTerm> read_node_selector(Node node_selector) {
  std::vector<SelectorTerm> terms;
  for (const Node term : node_selector.get("nodeSelectorTerms").items()) {
    if (is_mapping_or_null(term)) terms.push_back(read_selector_term(term, term));
  }
  return terms;
}

Container read_container(Node container, ContainerKind kind) {
  return {.node = container,
          .kind = kind,
          .name = read_string(container, "name"),
          .image = read_string(container, "image"),
          .resources = read_resources(container.get("resources")),
          .env = read_env(container.get("env")),
          .volume_mounts = read_volume_mounts(container.get("volumeMounts")),
          .privileged = read_bool(container.get("securityContext"), "privileged")};
}

PodSpec read_pod_spec(Node spec) {
  PodSpec pod;
  pod.node = spec;
  if (!spec.is_mapping()) return pod;
  read_containers(spec, pod.containers);
  pod.tolerations_node = spec.get("tolerations");
  pod.tolerations = read_tolerations(pod.tolerations_node);
  pod.tolerations_opaque =
      is_opaque_scalar(pod.tolerations_node) || has_opaque_item(pod.tolerations_node);
  pod.node_selector_node = spec.get("nodeSelector");
  pod.node_selector = read_string_map(pod.node_selector_node);
  pod.node_selector_opaque =
      is_opaque_scalar(pod.node_selector_node) || has_opaque_key(pod.node_selector_node);
  const Node affinity = spec.get("affinity");
  const Node node_affinity = affinity.get("nodeAffinity");
  const Node required = node_affinity.get("requiredDuringSchedulingIgnoredDuringExecution");
  pod.node_affinity = read_node_affinity(node_affinity);
  for (const Node part : {affinity, node_affinity, required, required.get("nodeSelectorTerms")}) {
    pod.affinity_opaque = pod.affinity_opaque || is_opaque_scalar(part);
  }
  pod.runtime_class_name = read_string(spec, "runtimeClassName");
  pod.scheduler_name = read_string(spec, "schedulerName");
  pod.node_name = read_string(spec, "nodeName");
  pod.overhead = read_resource_list(spec.get("overhead"));
  pod.pod_resources = read_resources(spec.get("resources"));
  pod.volumes = read_volumes(spec.get("volumes"));
  pod.resource_claims = read_names(spec.get("resourceClaims"));
  return pod;
}

}  // namespace gpulint
