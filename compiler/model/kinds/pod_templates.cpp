#include "compiler/model/kinds/pod_templates.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/ir/read.h"
#include "compiler/model/kinds/operator_pods.h"
#include "compiler/model/kinds/pod_template_paths.h"
#include "compiler/model/read_pod.h"
#include "compiler/model/unknown_pod.h"

namespace gpulint {
namespace {

/// Kinds that may be large and never have pod templates.
constexpr std::array<std::string_view, 6> podless_kinds{
    "ConfigMap", "CustomResourceDefinition", "Event", "Node", "NodePool", "Secret"};

[[nodiscard]] bool is_object(const KubernetesObject& object) {
  if (object.node.get("kind")) return true;
  return object.node.get("apiVersion") && (object.node.get("metadata") || object.node.get("spec"));
}

/// The mapping with the pod's `metadata`: the spec's parent, or the spec itself if it has none.
[[nodiscard]] Node template_of(Node spec) {
  const Node parent = spec.parent();
  return parent.is_mapping() && spec.key().text() == "spec" ? parent : spec;
}

/// A pod spec or template without an object around it, as in documentation and overlays.
[[nodiscard]] Node find_fragment(Node root) {
  for (const Node spec : {root, root.get("spec"), root.at("template", "spec")}) {
    if (is_container_list(spec.get("containers"))) return spec;
  }
  return {};
}

[[nodiscard]] Workload describe(const KubernetesObject& object, Node template_node) {
  Workload workload = begin_workload(object, template_node);
  const Node metadata = workload.template_node.get("metadata");
  workload.labels = read_string_map(metadata.get("labels"));
  workload.annotations = read_string_map(metadata.get("annotations"));
  return workload;
}

/// A pod found by structure, with its containers.
[[nodiscard]] Workload describe(const KubernetesObject& object, const PodTemplatePath& place) {
  Workload workload = describe(object, place.template_in(object.node));
  workload.around = place.around_template(object.node);
  workload.use = place.use;
  workload.pod = read_pod_spec(place.spec());
  return workload;
}

/// A pod without containers of its own, with the nodes around it.
[[nodiscard]] Workload describe(const KubernetesObject& object, OperatorPod pod) {
  Workload workload = describe(object, template_of(pod.pod.node));
  if (workload.template_node != object.node) {
    for (Node at = workload.template_node.parent(); at; at = at.parent()) {
      workload.around.push_back(at);
      if (at == object.node) break;
    }
  }
  workload.role = std::move(pod.role);
  workload.pod = std::move(pod.pod);
  return workload;
}

/// A pod's spec that is complete, or may be.
[[nodiscard]] Workload describe_part(const KubernetesObject& object, Node spec) {
  Workload workload = describe(object, template_of(spec));
  workload.origin = Workload::Origin::fragment;
  workload.pod = read_pod_spec(spec);
  return workload;
}

/// Whether a program reads the Pod as a template for its own pods: it has no name, or its container
/// has the name that Spark looks for (`spark.kubernetes.executor.podTemplateFile`).
[[nodiscard]] bool is_template_file(const Workload& workload) {
  const Node metadata = workload.object.get("metadata");
  if (!metadata.get("name") && !metadata.get("generateName")) return true;
  return std::ranges::any_of(workload.pod.containers, [](const Container& container) {
    return container.name.value_or("").starts_with("spark-kubernetes-");
  });
}

/// Whether a KServe service for language models inherits from configurations, or is one (kserve
/// v0.16, pkg/apis/serving/v1alpha1: `baseRefs`, LLMInferenceServiceConfig).
[[nodiscard]] bool has_base_configuration(const KubernetesObject& object) {
  if (object.kind.equals("LLMInferenceServiceConfig")) return true;
  return object.kind.equals("LLMInferenceService") && object.node.at("spec", "baseRefs").size() > 0;
}

[[nodiscard]] bool has_no_kind(const KubernetesObject& object) {
  return !is_object(object) && !object.kind.is_known();
}

/// The path of the pod in built-in kinds; part of an object may have nothing else.
[[nodiscard]] Node find_template_spec(Node object) {
  const Node cron = object.at("spec", "jobTemplate", "spec", "template", "spec");
  const Node usual = object.at("spec", "template", "spec");
  if (cron.is_mapping() || usual.is_mapping()) return cron.is_mapping() ? cron : usual;
  return object.get("kind").text() == "Pod" ? object.get("spec") : Node{};
}

}  // namespace

Workload begin_workload(const KubernetesObject& object, Node template_node) {
  Workload workload;
  workload.object = object.node;
  workload.template_node = template_node;
  workload.api_version = object.api_version;
  workload.kind = object.kind;
  workload.name = object_name(object.node);
  workload.name_space = object_namespace(object.node);
  return workload;
}

std::vector<Workload> find_pod_templates(const KubernetesObject& object,
                                         const DeclaredKinds* declared) {
  std::vector<Workload> workloads;
  if (has_no_kind(object)) {
    if (const Node spec = find_fragment(object.node)) {
      workloads.push_back(describe_part(object, spec));
    }
    return workloads;
  }
  if (std::ranges::count(podless_kinds, object.kind.value_or("")) > 0) return workloads;
  for (const PodTemplatePath& place : find_pod_template_paths(object.node)) {
    workloads.push_back(describe(object, place));
    workloads.back().role = place.role();
    if (has_base_configuration(object)) mark_missing_unknown(workloads.back().pod);
  }
  const KindFacts& facts = facts_of(object, declared);
  for (OperatorPod& pod : read_operator_pods(object, facts)) {
    workloads.push_back(describe(object, std::move(pod)));
  }
  const bool is_declared =
      declared != nullptr && declared->find(object.api_version.value_or(""), facts.kind) == &facts;
  for (Workload& workload : workloads) workload.declared_kind = is_declared ? &facts : nullptr;
  return workloads;
}

bool is_pod_fragment(const KubernetesObject& object) {
  return has_no_kind(object) && find_fragment(object.node);
}

bool is_completed_later(const Workload& workload) {
  if (workload.origin == Workload::Origin::compiled) return false;
  if (workload.origin == Workload::Origin::fragment) return true;
  if (workload.kind.equals("Pod") && is_template_file(workload)) return true;
  return !is_closed_group(api_group(workload.api_version.value_or("")));
}

std::vector<Workload> find_pod_fragments(std::span<const KubernetesObject> objects) {
  std::vector<Workload> workloads;
  for (const KubernetesObject& object : objects) {
    const std::vector<PodTemplatePath> places = find_pod_template_paths(object.node);
    for (const PodTemplatePath& place : places) {
      workloads.push_back(describe(object, place));
      workloads.back().origin = Workload::Origin::fragment;
    }
    const Node spec = find_template_spec(object.node);
    if (spec && places.empty()) workloads.push_back(describe_part(object, spec));
  }
  return workloads;
}

std::vector<Workload> find_pod_templates(std::span<const KubernetesObject> objects,
                                         const DeclaredKinds* declared) {
  std::vector<Workload> workloads;
  for (const KubernetesObject& object : objects) {
    std::vector<Workload> found = find_pod_templates(object, declared);
    std::ranges::move(found, std::back_inserter(workloads));
  }
  return workloads;
}

}  // namespace gpulint
