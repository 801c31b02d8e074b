#include "compiler/model/pod_templates.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/ir/read.h"
#include "compiler/model/operator_pods.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

/// Kinds that may be large and never hold pod templates.
constexpr std::array<std::string_view, 6> podless_kinds{
    "ConfigMap", "CustomResourceDefinition", "Event", "Node", "NodePool", "Secret"};

struct RoleName {
  std::string_view key;
  std::string_view role;
};
/// Keys whose role has a well-known shorter name; an empty role says nothing of its own.
constexpr std::array<RoleName, 16> role_names{{{"headGroupSpec", "head"},
                                               {"jobTemplate", ""},
                                               {"leaderTemplate", "leader"},
                                               {"leaderWorkerTemplate", ""},
                                               {"podSets", ""},
                                               {"podTemplate", ""},
                                               {"rayClusterConfig", ""},
                                               {"rayClusterSpec", ""},
                                               {"replicatedJobs", ""},
                                               {"spec", ""},
                                               {"submitterPodTemplate", "submitter"},
                                               {"template", ""},
                                               {"templates", ""},
                                               {"workerGroupSpecs", "worker"},
                                               {"workerTemplate", "worker"},
                                               {"workload", ""}}};

[[nodiscard]] std::string_view role_of_key(std::string_view key) {
  for (const RoleName& known : role_names) {
    if (known.key == key) return known.role;
  }
  return key.ends_with("ReplicaSpecs") ? std::string_view{} : key;
}

/// What tells an item of a list from its siblings.
[[nodiscard]] std::string item_name(Node item) {
  for (const std::string_view key : {"name", "groupName"}) {
    const Field<std::string> name = read_string(item, key);
    if (name.is_known()) return name.value();
  }
  return {};
}

/// The keys between the object and its pod that say which pod it is: `head`, `worker/gpu`.
[[nodiscard]] std::string role_of(Node spec, Node object) {
  std::vector<std::string> segments;
  for (Node at = spec; at && at != object; at = at.parent()) {
    const bool is_item = at.parent().is_sequence();
    std::string segment = is_item ? item_name(at) : std::string(role_of_key(at.key().text()));
    if (!segment.empty()) segments.push_back(std::move(segment));
  }
  std::ranges::reverse(segments);
  return fmt::format("{}", fmt::join(segments, "/"));
}

[[nodiscard]] bool is_container_list(Node containers) {
  const std::vector<Node> items = containers.items();
  return std::ranges::any_of(items, [](Node item) {
    return item.get("image").is_scalar() || item.get("name").is_scalar() ||
           item.get("resources").is_mapping();
  });
}

/// The mapping with the pod's `metadata`: the spec's parent, or the spec itself where it has none.
[[nodiscard]] Node template_of(Node spec) {
  const Node parent = spec.parent();
  return parent.is_mapping() && spec.key().text() == "spec" ? parent : spec;
}

/// Pod specs below `object`, in document order; pods are not searched for pods.
[[nodiscard]] std::vector<Node> find_pod_specs(Node object) {
  std::vector<Node> found;
  std::vector<Node> pending{object};
  while (!pending.empty()) {
    const Node at = pending.back();
    pending.pop_back();
    if (at.is_mapping() && is_container_list(at.get("containers"))) {
      found.push_back(at);
      continue;
    }
    std::vector<Node> children;
    if (at.is_mapping()) {
      for (const Node::Entry& entry : at.entries()) {
        const std::string_view key = entry.key.text();
        if (key != "status" && key != "metadata") children.push_back(entry.value);
      }
    } else {
      children = at.children();
    }
    pending.insert(pending.end(), children.rbegin(), children.rend());
  }
  return found;
}

[[nodiscard]] bool is_object(const KubernetesObject& object) {
  if (object.node.get("kind")) return true;
  return object.node.get("apiVersion") && (object.node.get("metadata") || object.node.get("spec"));
}

/// A pod spec or template without an object around it, as documentation and overlays show them.
[[nodiscard]] Node find_fragment(Node root) {
  for (const Node spec : {root, root.get("spec"), root.at("template", "spec")}) {
    if (is_container_list(spec.get("containers"))) return spec;
  }
  return {};
}

[[nodiscard]] Workload describe(const KubernetesObject& object, Node spec) {
  Workload workload;
  workload.object = object.node;
  workload.template_node = template_of(spec);
  workload.api_version = object.api_version;
  workload.kind = object.kind;
  workload.name = object_name(object.node);
  workload.name_space = object_namespace(object.node);
  const Node metadata = workload.template_node.get("metadata");
  workload.labels = read_string_map(metadata.get("labels"));
  workload.annotations = read_string_map(metadata.get("annotations"));
  return workload;
}

/// Whether a Pod is one that a program reads for its own pods: it has no name, or its container has
/// the name that Spark looks for (`spark.kubernetes.executor.podTemplateFile`).
[[nodiscard]] bool is_template_file(const Workload& workload) {
  const Node metadata = workload.object.get("metadata");
  if (!metadata.get("name") && !metadata.get("generateName")) return true;
  return std::ranges::any_of(workload.pod.containers, [](const Container& container) {
    return container.name.value_or("").starts_with("spark-kubernetes-");
  });
}

/// Where the built-in kinds have their pod; of part of an object that may be all.
[[nodiscard]] Node find_template_spec(Node object) {
  const Node cron = object.at("spec", "jobTemplate", "spec", "template", "spec");
  const Node usual = object.at("spec", "template", "spec");
  if (cron.is_mapping() || usual.is_mapping()) return cron.is_mapping() ? cron : usual;
  return object.get("kind").text() == "Pod" ? object.get("spec") : Node{};
}

}  // namespace

std::vector<Workload> find_pod_templates(const KubernetesObject& object) {
  std::vector<Workload> workloads;
  if (!is_object(object) && !object.kind.is_known()) {
    const Node spec = find_fragment(object.node);
    if (!spec) return workloads;
    workloads.push_back(describe(object, spec));
    workloads.back().origin = Workload::Origin::fragment;
    workloads.back().pod = read_pod_spec(spec);
    return workloads;
  }
  if (std::ranges::count(podless_kinds, object.kind.value_or("")) > 0) return workloads;
  for (const Node spec : find_pod_specs(object.node)) {
    workloads.push_back(describe(object, spec));
    workloads.back().role = role_of(spec, object.node);
    workloads.back().pod = read_pod_spec(spec);
  }
  for (OperatorPod& pod : read_operator_pods(object)) {
    workloads.push_back(describe(object, pod.pod.node));
    workloads.back().role = std::move(pod.role);
    workloads.back().pod = std::move(pod.pod);
  }
  return workloads;
}

bool is_completed_later(const Workload& workload) {
  if (workload.origin == Workload::Origin::compiled) return false;
  if (workload.origin == Workload::Origin::fragment) return true;
  if (workload.kind.equals("Pod") && is_template_file(workload)) return true;
  constexpr std::array<std::string_view, 3> groups_with_pods{"apps", "batch", "extensions"};
  const std::string version = workload.api_version.value_or("");
  const std::size_t slash = version.find('/');
  if (slash == std::string::npos) return false;  // of the core group, or of a List's item
  return std::ranges::find(groups_with_pods, version.substr(0, slash)) == groups_with_pods.end();
}

std::vector<Workload> find_pod_fragments(std::span<const KubernetesObject> objects) {
  std::vector<Workload> workloads;
  for (const KubernetesObject& object : objects) {
    std::vector<Node> specs = find_pod_specs(object.node);
    if (const Node spec = find_template_spec(object.node); spec && specs.empty()) {
      specs.push_back(spec);
    }
    for (const Node spec : specs) {
      workloads.push_back(describe(object, spec));
      workloads.back().origin = Workload::Origin::fragment;
      workloads.back().pod = read_pod_spec(spec);
    }
  }
  return workloads;
}

std::vector<Workload> find_pod_templates(std::span<const KubernetesObject> objects) {
  std::vector<Workload> workloads;
  for (const KubernetesObject& object : objects) {
    std::vector<Workload> found = find_pod_templates(object);
    std::ranges::move(found, std::back_inserter(workloads));
  }
  return workloads;
}

}  // namespace gpulint
