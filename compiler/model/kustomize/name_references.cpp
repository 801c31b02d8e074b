#include "compiler/model/kustomize/name_references.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace gpulint::kustomize {
namespace {

struct PodReference {
  std::string_view kind;
  std::string_view path;  ///< In the pod's spec.
};
constexpr std::array<PodReference, 16> pod_references{
    {{"ConfigMap", "volumes/configMap/name"},
     {"ConfigMap", "volumes/projected/sources/configMap/name"},
     {"ConfigMap", "containers/env/valueFrom/configMapKeyRef/name"},
     {"ConfigMap", "initContainers/env/valueFrom/configMapKeyRef/name"},
     {"ConfigMap", "containers/envFrom/configMapRef/name"},
     {"ConfigMap", "initContainers/envFrom/configMapRef/name"},
     {"Secret", "volumes/secret/secretName"},
     {"Secret", "volumes/projected/sources/secret/name"},
     {"Secret", "containers/env/valueFrom/secretKeyRef/name"},
     {"Secret", "initContainers/env/valueFrom/secretKeyRef/name"},
     {"Secret", "containers/envFrom/secretRef/name"},
     {"Secret", "initContainers/envFrom/secretRef/name"},
     {"Secret", "imagePullSecrets/name"},
     {"ServiceAccount", "serviceAccountName"},
     {"PersistentVolumeClaim", "volumes/persistentVolumeClaim/claimName"},
     {"PriorityClass", "priorityClassName"}}};

struct ObjectReference {
  std::string_view holder;
  std::string_view kind;
  std::string_view path;
};
constexpr std::array<ObjectReference, 8> object_references{
    {{"HorizontalPodAutoscaler", "Deployment", "spec/scaleTargetRef/name"},
     {"HorizontalPodAutoscaler", "ReplicationController", "spec/scaleTargetRef/name"},
     {"HorizontalPodAutoscaler", "ReplicaSet", "spec/scaleTargetRef/name"},
     {"HorizontalPodAutoscaler", "StatefulSet", "spec/scaleTargetRef/name"},
     {"StatefulSet", "Service", "spec/serviceName"},
     {"StatefulSet", "StorageClass", "spec/volumeClaimTemplates/spec/storageClassName"},
     {"PersistentVolumeClaim", "StorageClass", "spec/storageClassName"},
     {"ServiceAccount", "Secret", "imagePullSecrets/name"}}};

/// Where kustomize finds the pod of a kind; empty: it does not look.
[[nodiscard]] std::string_view pod_path(std::string_view kind) {
  if (kind == "Pod") return "spec";
  if (kind == "PodTemplate") return "template/spec";
  if (kind == "CronJob") return "spec/jobTemplate/spec/template/spec";
  constexpr std::array<std::string_view, 6> with_template{
      "DaemonSet", "Deployment", "Job", "ReplicaSet", "ReplicationController", "StatefulSet"};
  const bool has_template = std::ranges::find(with_template, kind) != with_template.end();
  return has_template ? "spec/template/spec" : "";
}

/// Of ReplicaSets and PodTemplates kustomize reads ConfigMaps and Secrets alone, of
/// ReplicationControllers all but these.
[[nodiscard]] bool reads(std::string_view holder, std::string_view kind) {
  const bool is_data = kind == "ConfigMap" || kind == "Secret";
  if (holder == "ReplicaSet" || holder == "PodTemplate") return is_data;
  return holder != "ReplicationController" || !is_data;
}

template <class Visit>
void visit(Value& at, std::string_view path, const Visit& found) {
  if (at.is_sequence()) {
    for (Value& item : at.items) visit(item, path, found);
    return;
  }
  if (path.empty()) {
    if (at.kind == NodeKind::scalar) found(at);
    return;
  }
  const std::size_t end = std::min(path.find('/'), path.size());
  if (Value* const inner = at.find(path.substr(0, end))) {
    visit(*inner, path.substr(std::min(end + 1, path.size())), found);
  }
}

class Updater {
 public:
  explicit Updater(std::vector<Resource>& resources) : resources_(resources) {
    for (const Resource& resource : resources) {
      if (resource.is_deleted) continue;
      for (const ResourceId& id : resource.ids) {
        std::vector<const Resource*>& named = by_name_[{id.kind, id.name}];
        if (named.empty() || named.back() != &resource) named.push_back(&resource);
      }
    }
  }

  void run() {
    for (Resource& resource : resources_) {
      if (resource.is_deleted) continue;
      const std::string_view holder = resource.ids.front().kind;
      for (const ObjectReference& reference : object_references) {
        if (reference.holder == holder) update(resource, reference.kind, reference.path);
      }
      const std::string pod(pod_path(holder));
      if (pod.empty()) continue;
      for (const PodReference& reference : pod_references) {
        if (!reads(holder, reference.kind)) continue;
        update(resource, reference.kind, pod + "/" + std::string(reference.path));
      }
    }
  }

 private:
  void update(Resource& holder, std::string_view kind, std::string_view path) {
    if (!holder.tree) holder.tree = read_value(holder.source.node);
    if (!holder.tree) return;
    visit(*holder.tree, path, [&](Value& name) { update(holder, kind, name); });
  }

  void update(const Resource& holder, std::string_view kind, Value& name) const {
    const auto known = by_name_.find({std::string(kind), std::string(name.text())});
    if (known == by_name_.end()) return;
    std::vector<const Resource*> meant = known->second;
    const bool has_namespace = kind != "PriorityClass" && kind != "StorageClass";
    if (has_namespace) {
      std::erase_if(meant, [&](const Resource* one) {
        return effective_namespace(*one) != effective_namespace(holder);
      });
    }
    // Of several the one with which the object was renamed.
    if (meant.size() > 1) {
      std::erase_if(meant, [&](const Resource* one) { return one->affixes != holder.affixes; });
      if (meant.size() != 1) {
        name.is_opaque = true;
        return;
      }
    }
    if (meant.empty()) return;
    const std::string_view now = current_name(*meant.front());
    if (now != name.text()) name.made_text = std::make_shared<const std::string>(now);
  }

  [[nodiscard]] static std::string_view current_name(const Resource& resource) {
    const Value* const metadata = resource.tree ? resource.tree->find("metadata") : nullptr;
    if (metadata != nullptr) return metadata->text("name");
    return resource.source.node.at("metadata", "name").text();
  }

  [[nodiscard]] static std::string_view effective_namespace(const Resource& resource) {
    const std::string& name_space = resource.ids.back().name_space;
    return name_space.empty() ? std::string_view("default") : name_space;
  }

  std::vector<Resource>& resources_;
  std::map<std::pair<std::string, std::string>, std::vector<const Resource*>> by_name_;
};

}  // namespace

void update_name_references(std::vector<Resource>& resources) {
  const bool renames = std::ranges::any_of(
      resources, [](const Resource& resource) { return !resource.affixes.empty(); });
  if (renames) Updater(resources).run();
}

}  // namespace gpulint::kustomize
