#include "compiler/model/kustomize/build.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "compiler/model/kustomize/json_patch.h"
#include "compiler/model/kustomize/merge.h"

namespace gpulint::kustomize {
namespace {

[[nodiscard]] Value* changeable(Resource& resource) {
  if (!resource.tree) resource.tree = read_value(resource.source.node);
  if (!resource.tree) resource.is_uncertain = true;
  return resource.tree ? &*resource.tree : nullptr;
}

void merge_patch(Resource& resource, const Value& patch) {
  Value* const tree = changeable(resource);
  if (tree == nullptr) return;
  // `target` counts, and not what the patch is called.
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
  if (apply_json_patch(*tree, operations)) return;
  *tree = before;
  resource.is_uncertain = true;
}

/// Whether the patch names the resource, by any of the ids it has had.
[[nodiscard]] bool is_named_by(const Resource& resource, const ResourceId& wanted) {
  const auto effective = [](const std::string& name_space) -> std::string_view {
    return name_space.empty() ? std::string_view("default") : name_space;
  };
  return std::ranges::any_of(resource.ids, [&](const ResourceId& id) {
    return id.api_version == wanted.api_version && id.kind == wanted.kind &&
           id.name == wanted.name && effective(id.name_space) == effective(wanted.name_space);
  });
}

/// The labels, names and namespaces that the kustomization gives: later patches may ask for them.
void rename(const Kustomization& kustomization, Resource& resource) {
  const Node root = kustomization.root;
  ResourceId id = resource.ids.back();
  id.name = std::string(root.get("namePrefix").text()) + id.name +
            std::string(root.get("nameSuffix").text());
  if (const Node name_space = root.get("namespace"); name_space.is_scalar()) {
    id.name_space = std::string(name_space.text());
  }
  if (id != resource.ids.back()) resource.ids.push_back(std::move(id));
  const auto add = [&](Node labels) {
    for (const auto& [key, value] : labels.fields()) {
      resource.added_labels[std::string(key.text())] = std::string(value.text());
    }
  };
  add(root.get("commonLabels"));
  for (const Node labels : root.get("labels").items()) add(labels.get("pairs"));
}

/// Of an image that the kustomization names anew nothing is known.
void rename_images(Node images, Value& value) {
  for (Entry& entry : value.entries) {
    if (entry.name != "image" || entry.value.kind != NodeKind::scalar) {
      rename_images(images, entry.value);
      continue;
    }
    const std::string_view image = entry.value.written.text();
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
    : sources_(sources) {
  for (const Document* document : documents) {
    if (!document->errors.empty() || document->is_template) continue;
    if (document->host != nullptr) {
      embedded_[{document->host, document->host_node}].push_back(document);
      continue;
    }
    const std::string& path = sources.file(document->file).path();
    files_[path].push_back(document);
    const Node at = root(*document);
    if (is_kustomization(at, path)) all_.push_back(read_kustomization(at, path));
  }
}

const Kustomization* Inputs::in_folder(const std::string& folder) const {
  const std::string wanted = folder == "." ? std::string() : folder;
  const auto at = std::ranges::find_if(all_, [&](const Kustomization& each) {
    return each.folder == wanted && is_kustomization_name(each.path);
  });
  return at == all_.end() ? nullptr : &*at;
}

std::vector<const Document*> Inputs::of_file(const std::string& path) const {
  const auto at = files_.find(path);
  return at == files_.end() ? std::vector<const Document*>{} : at->second;
}

bool Inputs::is_input(const std::string& path) const {
  for (FileId id = 0; id < sources_.size(); ++id) {
    if (sources_.file(id).path() == path) return true;
  }
  return false;
}

std::vector<const Document*> Inputs::of_patch(const Patch& patch) const {
  if (!patch.path.empty()) return of_file(patch.path);
  const auto at = embedded_.find({patch.text.document(), patch.text.index()});
  return at == embedded_.end() ? std::vector<const Document*>{} : at->second;
}

std::vector<Resource> Build::run(const Kustomization& kustomization) {
  std::vector<Resource> resources;
  if (std::ranges::find(open_, &kustomization) != open_.end()) return resources;
  open_.push_back(&kustomization);
  add_resources(kustomization, resources);
  for (const std::string& path : kustomization.components) {
    const Kustomization* component = inputs_.in_folder(path);
    if (component == nullptr) {
      // Its patches may change anything.
      for (Resource& resource : resources) resource.is_uncertain = true;
      leave(kustomization, kustomization.root.get("components"),
            "a component is not among the inputs");
      continue;
    }
    if (std::ranges::find(open_, component) != open_.end()) continue;
    open_.push_back(component);
    add_resources(*component, resources);
    apply_patches(*component, resources);
    open_.pop_back();
  }
  apply_patches(kustomization, resources);
  open_.pop_back();
  return resources;
}

void Build::add_resources(const Kustomization& kustomization, std::vector<Resource>& resources) {
  for (const std::string& path : kustomization.resources) {
    if (const Kustomization* below = inputs_.in_folder(path)) {
      std::vector<Resource> built = run(*below);
      std::ranges::move(built, std::back_inserter(resources));
    } else {
      add_file(path, resources);
    }
  }
  if (!kustomization.unread_resources.empty()) lacks_resources_ = true;
}

void Build::add_file(const std::string& path, std::vector<Resource>& resources) {
  const std::vector<const Document*> documents = inputs_.of_file(path);
  if (documents.empty() && !inputs_.is_input(path)) lacks_resources_ = true;
  for (const Document* document : documents) {
    for (KubernetesObject& object : find_objects(root(*document))) {
      Resource resource{.source = {}, .tree = {}, .ids = {id_of(object.node)}, .added_labels = {}};
      resource.source = std::move(object);
      resources.push_back(std::move(resource));
    }
  }
}

void Build::apply_patches(const Kustomization& kustomization, std::vector<Resource>& resources) {
  for (const Patch& patch : kustomization.patches) apply_patch(kustomization, patch, resources);
  const Node images = kustomization.root.get("images");
  for (Resource& resource : resources) {
    rename(kustomization, resource);
    if (resource.tree && images.size() > 0) rename_images(images, *resource.tree);
    if (resource.tree && !kustomization.unread_changes.empty()) resource.is_uncertain = true;
  }
  if (!kustomization.unread_changes.empty() && !kustomization.patches.empty()) {
    leave(kustomization, kustomization.unread_changes.front(),
          "what else changes its object is not read");
  }
}

void Build::apply_patch(const Kustomization& kustomization, const Patch& patch,
                        std::vector<Resource>& resources) {
  const std::vector<const Document*> documents = inputs_.of_patch(patch);
  if (documents.empty()) {
    for (Resource& resource : resources) {
      if (!patch.target || selects(*patch.target, resource).value_or(true)) {
        resource.is_uncertain = true;
      }
    }
    return leave(kustomization, patch.entry, "it is not among the inputs");
  }
  for (const Document* document : documents) {
    const Outcome outcome = apply_document(patch, *document, resources);
    if (outcome == Outcome::merged) {
      merged_.insert(document);
    } else if (outcome == Outcome::failed) {
      leave(kustomization, patch.entry, "what it does is not certain");
    } else if (!patch.target || lacks_resources_) {  // a target may well select nothing
      leave(kustomization, patch.entry, "what it patches is not among the inputs");
    }
  }
}

Build::Outcome Build::apply_document(const Patch& patch, const Document& document,
                                     std::vector<Resource>& resources) {
  const Node body = root(document);
  const bool is_list = body.is_sequence();
  const ResourceId named = id_of(body);
  const auto value = is_list ? std::nullopt : read_value(body);
  if (!is_list && !value) return Outcome::failed;
  Outcome outcome = Outcome::unmatched;
  for (Resource& resource : resources) {
    if (resource.is_deleted) continue;
    const auto is_meant = patch.target ? selects(*patch.target, resource)
                                       : std::optional(is_named_by(resource, named));
    if (is_meant && !*is_meant) continue;
    if (!is_meant) {
      resource.is_uncertain = true;
    } else if (is_list) {
      patch_by_operations(resource, body);
    } else {
      merge_patch(resource, *value);
    }
    if (outcome != Outcome::merged) {
      outcome = resource.is_uncertain ? Outcome::failed : Outcome::merged;
    }
  }
  return outcome;
}

void Build::leave(const Kustomization& kustomization, Node place, std::string_view reason) {
  const std::string folder = kustomization.folder.empty() ? "." : kustomization.folder;
  if (std::ranges::find(unmerged_, folder, &Unmerged::folder) != unmerged_.end()) return;
  unmerged_.push_back({folder, place, std::string(reason)});
}

}  // namespace gpulint::kustomize
