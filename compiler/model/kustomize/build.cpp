#include "compiler/model/kustomize/build.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/model/kustomize/common_fields.h"
#include "compiler/model/kustomize/patches.h"
#include "compiler/model/kustomize/resource.h"

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

/// Where kustomize expects the pod of a kind; empty: it does not look.
[[nodiscard]] std::string_view pod_path(std::string_view kind) {
  if (kind == "Pod") return "spec";
  if (kind == "PodTemplate") return "template/spec";
  if (kind == "CronJob") return "spec/jobTemplate/spec/template/spec";
  constexpr std::array<std::string_view, 6> with_template{
      "DaemonSet", "Deployment", "Job", "ReplicaSet", "ReplicationController", "StatefulSet"};
  const bool has_template = std::ranges::find(with_template, kind) != with_template.end();
  return has_template ? "spec/template/spec" : "";
}

/// kustomize only reads ConfigMaps and Secrets of ReplicaSets and PodTemplates, and everything else
/// of ReplicationControllers.
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
    // if there are several, the one that renamed the object
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

/// Updates references to objects that kustomizations renamed, as kustomize does
/// (api/internal/konfig/builtinpluginconsts/namereference.go, without RBAC and Ingress). A
/// reference that may mean one of several objects becomes opaque.
void update_name_references(std::vector<Resource>& resources) {
  const bool renames = std::ranges::any_of(
      resources, [](const Resource& resource) { return !resource.affixes.empty(); });
  if (renames) Updater(resources).run();
}

/// Limits of objects: for all kustomizations of a run together, and the most and least for one.
/// Twice the number of a scope's documents is added.
constexpr std::size_t objects_of_all = 40'000;
constexpr std::size_t most_of_one = 10'000;
constexpr std::size_t least_of_one = 200;

constexpr std::size_t steps_per_object = 40;

/// Nested kustomizations; building them recurses.
constexpr std::size_t most_nested = 5'000;

[[nodiscard]] Value* changeable(Resource& resource) {
  resource.is_patched = true;
  if (!resource.tree) resource.tree = read_value(resource.source.node);
  if (!resource.tree) resource.is_uncertain = true;
  return resource.tree ? &*resource.tree : nullptr;
}

void merge_patch(Resource& resource, const Value& patch) {
  Value* const tree = changeable(resource);
  if (tree == nullptr) return;
  // `target` decides, not the patch's own name
  Value body = patch;
  for (const std::string_view key : {"apiVersion", "kind"}) body.erase(key);
  if (Value* metadata = body.find("metadata")) {
    for (const std::string_view key : {"name", "namespace"}) metadata->erase(key);
  }
  const Value before = *tree;
  switch (merge(*tree, body, lists_of(resource.ids.front().api_version))) {
    case Merged::changed:
      return;
    case Merged::deleted:
      resource.is_deleted = true;
      return;
    case Merged::unknown:
      *tree = before;
      resource.is_uncertain = true;
  }
}

void patch_by_operations(Resource& resource, Node operations) {
  Value* const tree = changeable(resource);
  if (tree == nullptr) return;
  const Value before = *tree;
  if (!apply_json_patch(*tree, operations)) {
    *tree = before;
    resource.is_uncertain = true;
  }
}

/// Later patches find an object by the name that a JSON patch set; returns whether it was set.
[[nodiscard]] bool note_new_name(Resource& resource) {
  const Value* const metadata = resource.tree ? resource.tree->find("metadata") : nullptr;
  if (metadata == nullptr) return false;
  ResourceId id = resource.ids.back();
  const std::string_view name = metadata->text("name");
  if (name.empty() || name == id.name) return false;
  id.name = std::string(name);
  resource.ids.push_back(std::move(id));
  return true;
}

/// An image that the kustomization replaces is unknown.
void rename_images(Node images, Value& value) {
  for (Entry& entry : value.entries) {
    if (entry.name != "image" || entry.value.kind != NodeKind::scalar) {
      rename_images(images, entry.value);
      continue;
    }
    const std::string_view image = entry.value.text();
    for (const Node each : images.items()) {
      const std::string_view name = each.get("name").text();
      const bool is_same =
          image.starts_with(name) &&
          (image.size() == name.size() || image[name.size()] == ':' || image[name.size()] == '@');
      if (is_same && each.get("newName")) entry.value.is_opaque = true;
    }
  }
  for (Value& item : value.items) rename_images(images, item);
}

}  // namespace

Inputs::Inputs(const SourceSet& sources, const std::vector<const Document*>& documents)
    : document_count_(documents.size()), paths_(sources.paths()) {
  for (const Document* document : documents) {
    if (!document->errors.empty() || document->is_template) continue;
    if (document->host != nullptr) {
      embedded_[{document->host, document->host_node}].push_back(document);
      continue;
    }
    const std::string& path = sources.file(document->file).path();
    files_[path].push_back(document);
    const Node at = root(*document);
    if (!is_kustomization(at, path)) continue;
    all_.push_back(read_kustomization(at, path, sources.folder()));
    if (is_kustomization_name(path)) by_folder_.emplace(all_.back().folder, all_.size() - 1);
  }
}

const Kustomization* Inputs::in_folder(const std::string& folder) const {
  const auto at = by_folder_.find(folder == "." ? std::string() : folder);
  return at == by_folder_.end() ? nullptr : &all_[at->second];
}

std::vector<const Document*> Inputs::of_file(const std::string& path) const {
  const auto at = files_.find(path);
  return at == files_.end() ? std::vector<const Document*>{} : at->second;
}

bool Inputs::is_input(const std::string& path) const {
  const auto below = paths_.lower_bound(path + "/");
  const bool is_folder = below != paths_.end() && below->starts_with(path + "/");
  return !is_folder && paths_.contains(path);
}

std::vector<const Document*> Inputs::of_patch(const Patch& patch) const {
  if (!patch.path.empty()) return of_file(patch.path);
  const auto at = embedded_.find({patch.text.document(), patch.text.index()});
  return at == embedded_.end() ? std::vector<const Document*>{} : at->second;
}

Build::Build(const Inputs& inputs, std::size_t kustomizations)
    : inputs_(inputs),
      most_objects_(std::clamp(objects_of_all / std::max<std::size_t>(kustomizations, 1),
                               least_of_one, most_of_one) +
                    2 * inputs.document_count()),
      most_steps_(steps_per_object * most_objects_) {}

std::vector<Resource> Build::run(const Kustomization& topmost) {
  count_uses(topmost);
  std::vector<Resource> resources = build(topmost);
  if (!excess_.empty()) {
    merged_.clear();
    unmerged_.clear();
    left_.clear();
    leave(topmost, topmost.root, excess_);
    unmerged_.back().is_oversized = true;
    return {};
  }
  update_name_references(resources);
  return resources;
}

void Build::count_uses(const Kustomization& topmost) {
  std::vector<const Kustomization*> pending{&topmost};
  while (!pending.empty()) {
    const Kustomization* const next = pending.back();
    pending.pop_back();
    for (const auto* paths : {&next->resources, &next->components}) {
      for (const std::string& path : *paths) {
        const Kustomization* const below = inputs_.in_folder(path);
        if (below != nullptr && ++uses_[below] == 1) pending.push_back(below);
      }
    }
  }
}

std::vector<Resource> Build::build(const Kustomization& kustomization) {
  std::size_t& uses = uses_[&kustomization];
  if (uses > 0) --uses;
  if (const auto known = built_.find(&kustomization); known != built_.end()) {
    if (uses == 0) return std::move(built_.extract(known).mapped());
    spend(known->second.size(), 1);
    return excess_.empty() ? known->second : std::vector<Resource>{};
  }
  std::vector<Resource> resources;
  if (!open_.insert(&kustomization).second) return resources;
  gather(kustomization, resources);
  open_.erase(&kustomization);
  if (uses > 0) {
    spend(resources.size(), 0);
    if (excess_.empty()) built_.emplace(&kustomization, resources);
  }
  return resources;
}

void Build::gather(const Kustomization& kustomization, std::vector<Resource>& resources) {
  if (open_.size() > most_nested) {
    excess_ = fmt::format("more than {} kustomizations are nested", most_nested);
  }
  spend(0, 1);
  if (!excess_.empty()) return;
  add_resources(kustomization, resources);
  add_components(kustomization, resources);
  spend(0, resources.size());
  if (excess_.empty()) transform(kustomization, resources);
}

void Build::add_resources(const Kustomization& kustomization, std::vector<Resource>& resources) {
  for (const std::string& path : kustomization.resources) {
    if (!excess_.empty()) return;
    if (const Kustomization* below = inputs_.in_folder(path)) {
      std::vector<Resource> built = build(*below);
      std::ranges::move(built, std::back_inserter(resources));
    } else {
      add_file(path, resources);
    }
  }
  if (!kustomization.unread_resources.empty()) lacks_resources_ = true;
}

void Build::add_components(const Kustomization& kustomization, std::vector<Resource>& resources) {
  for (const std::string& path : kustomization.components) {
    const Kustomization* component = inputs_.in_folder(path);
    if (component == nullptr) {
      // its patches may change anything
      for (Resource& resource : resources) resource.is_uncertain = true;
      leave(kustomization, kustomization.root.get("components"),
            "a component is not among the inputs");
      continue;
    }
    if (!open_.insert(component).second) continue;
    gather(*component, resources);
    open_.erase(component);
  }
}

void Build::add_file(const std::string& path, std::vector<Resource>& resources) {
  const std::vector<const Document*> documents = inputs_.of_file(path);
  if (documents.empty() && !inputs_.is_input(path)) lacks_resources_ = true;
  for (const Document* document : documents) {
    for (KubernetesObject& object : find_objects(root(*document))) {
      spend(1, 0);
      Resource& resource = resources.emplace_back();
      resource.ids.push_back(id_of(object.node));
      resource.source = std::move(object);
    }
  }
}

void Build::transform(const Kustomization& kustomization, std::vector<Resource>& resources) {
  apply_patches(kustomization, false, resources);
  const CommonFields fields(kustomization);
  for (Resource& resource : resources) fields.set(resource);
  apply_patches(kustomization, true, resources);
  const Node images = kustomization.root.get("images");
  const bool is_open = !kustomization.unread_changes.empty();
  for (Resource& resource : resources) {
    if (resource.tree && images.size() > 0) rename_images(images, *resource.tree);
    if (resource.is_patched && is_open) resource.is_uncertain = true;
  }
  if (is_open && !kustomization.patches.empty()) {
    leave(kustomization, kustomization.unread_changes.front(),
          "another change of its object cannot be read");
  }
}

void Build::apply_patches(const Kustomization& kustomization, bool last,
                          std::vector<Resource>& resources) {
  ResourceIndex index(resources);
  for (const Patch& patch : kustomization.patches) {
    if (patch.is_last == last) apply_patch(kustomization, patch, resources, index);
  }
}

/// Whether the patch's objects should be among the inputs. A target may select nothing, and
/// definitions are read only where their kind of resource is used.
bool Build::may_miss(const Patch& patch, const Document& document) const {
  if (root(document).get("kind").text() == "CustomResourceDefinition") return false;
  return !patch.target || lacks_resources_;
}

void Build::apply_patch(const Kustomization& kustomization, const Patch& patch,
                        std::vector<Resource>& resources, ResourceIndex& index) {
  const std::vector<const Document*> documents = inputs_.of_patch(patch);
  if (documents.empty()) {
    std::optional<Selector> selector;
    if (patch.target) selector.emplace(*patch.target);
    for (Resource& resource : resources) {
      if (!selector || selector->selects(resource).value_or(true)) resource.is_uncertain = true;
    }
    return leave(kustomization, patch.entry, "it is not among the inputs");
  }
  for (const Document* document : documents) {
    const Outcome outcome = apply_document(patch, *document, resources, index);
    if (outcome == Outcome::merged) {
      merged_.insert(document);
    } else if (outcome == Outcome::failed) {
      leave(kustomization, patch.entry, "its effect is unknown");
    } else if (may_miss(patch, *document)) {
      leave(kustomization, patch.entry, "its object is not among the inputs");
    }
  }
}

Build::Outcome Build::apply_document(const Patch& patch, const Document& document,
                                     std::vector<Resource>& resources, ResourceIndex& index) {
  const Node body = root(document);
  const bool is_list = body.is_sequence();
  const auto value = is_list ? std::nullopt : read_value(body);
  if (!is_list && !value) return Outcome::failed;
  Outcome outcome = Outcome::unmatched;
  const auto apply = [&](Resource& resource, bool is_certain) {
    if (resource.is_deleted) return;
    if (!is_certain) {
      resource.is_uncertain = true;
    } else if (is_list) {
      patch_by_operations(resource, body);
      if (note_new_name(resource)) index.clear();
    } else {
      merge_patch(resource, *value);
    }
    if (outcome != Outcome::merged) {
      outcome = resource.is_uncertain ? Outcome::failed : Outcome::merged;
    }
  };
  if (patch.target) {
    const Selector selector(*patch.target);
    for (Resource& resource : resources) {
      const auto is_meant = selector.selects(resource);
      if (is_meant.value_or(true)) apply(resource, is_meant.has_value());
    }
  } else {
    for (const std::size_t i : index.find(id_of(body))) apply(resources[i], true);
  }
  return outcome;
}

void Build::leave(const Kustomization& kustomization, Node place, std::string_view reason) {
  const std::string folder = kustomization.folder.empty() ? "." : kustomization.folder;
  if (left_.insert(folder).second) unmerged_.push_back({folder, place, std::string(reason)});
}

void Build::spend(std::size_t objects, std::size_t steps) {
  objects_ += objects;
  steps_ += steps;
  if (!excess_.empty()) return;
  if (objects_ > most_objects_) {
    excess_ = fmt::format("it creates more than {} objects", most_objects_);
  } else if (steps_ > most_steps_) {
    excess_ = fmt::format("it takes more than {} steps to build", most_steps_);
  }
}

}  // namespace gpulint::kustomize
