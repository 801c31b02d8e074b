#include "compiler/model/kustomize/apply.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/model/kustomize/build.h"
#include "compiler/model/kustomize/patches.h"

namespace gpulint::kustomize {
namespace {

[[nodiscard]] bool is_any_kustomization(const SourceSet& sources, const Document& document) {
  return document.errors.empty() && document.host == nullptr &&
         is_kustomization(root(document), sources.file(document.file).path());
}

/// No selector, and no image or no label for a selector to match: the API server never accepts such
/// a workload of the group `apps`.
[[nodiscard]] bool lacks_what_is_required(Node object) {
  const Node spec = object.get("spec");
  const Node pod = spec.at("template", "spec");
  if (!object.get("apiVersion").text().starts_with("apps/") || !pod.is_mapping()) return false;
  const bool has_image = std::ranges::any_of(
      pod.get("containers").items(), [](Node container) { return bool(container.get("image")); });
  return !spec.get("selector") && (!has_image || !spec.at("template", "metadata", "labels"));
}

/// What only a patch has: a directive, or the name that means whatever `target` selects; or what
/// only a patch may lack.
[[nodiscard]] bool is_evidently_patch(const SourceSet& sources, const Document& document) {
  constexpr std::string_view directive = "$patch";
  const Node object = root(document);
  if (!document.errors.empty() || !object.get("kind") || object.get("items")) return false;
  // input from a pipe is already built
  const bool is_built = is_standard_input(sources.file(document.file).path());
  if (object.at("metadata", "name").text() == "*") return true;
  if (!is_built && lacks_what_is_required(object)) return true;
  const std::string_view text = sources.text(document.span);
  if (!has_text(text, directive)) return false;
  return any_below(object, [&](Node node) { return node.is_scalar() && node.text() == directive; });
}

class Application {
 public:
  Application(const SourceSet& sources, const std::vector<const Document*>& documents,
              std::size_t kustomizations)
      : sources_(sources),
        documents_(documents),
        inputs_(sources, documents),
        kustomizations_(kustomizations) {}

  [[nodiscard]] Applied run() && {
    find_patches();
    build_all();
    for (const Document* document : documents_) {
      if (!patches_.contains(document) || merged_.contains(document)) continue;
      add_fragments(*document);
      if (!named_.contains(document)) leave_unnamed(*document);
    }
    find_kept();
    for (const Document* document : documents_) place(*document);
    return std::move(applied_);
  }

 private:
  void find_patches() {
    std::set<const Document*> named_resources;
    for (const Kustomization& each : inputs_.kustomizations()) {
      for (const Patch& patch : each.patches) {
        const auto documents = inputs_.of_patch(patch);
        patches_.insert(documents.begin(), documents.end());
      }
      for (const std::string& path : each.resources) {
        const auto documents = inputs_.of_file(path);
        named_resources.insert(documents.begin(), documents.end());
      }
    }
    named_ = patches_;
    for (const Document* document : named_resources) patches_.erase(document);
    for (const Document* document : documents_) {
      const bool is_resource = named_resources.contains(document);
      if (!is_resource && is_evidently_patch(sources_, *document)) patches_.insert(document);
    }
  }

  /// Kustomizations that no other input uses and that are not components.
  [[nodiscard]] std::vector<const Kustomization*> topmost() const {
    std::set<const Kustomization*> below;
    for (const Kustomization& each : inputs_.kustomizations()) {
      for (const auto* paths : {&each.resources, &each.components}) {
        for (const std::string& path : *paths) below.insert(inputs_.in_folder(path));
      }
    }
    std::vector<const Kustomization*> found;
    for (const Kustomization& each : inputs_.kustomizations()) {
      if (!each.is_component && !below.contains(&each)) found.push_back(&each);
    }
    return found;
  }

  void build_all() {
    for (const Kustomization* each : topmost()) {
      Build build(inputs_, kustomizations_);
      take(build.run(*each));
      merged_.insert(build.merged().begin(), build.merged().end());
      for (Unmerged& unmerged : build.unmerged()) {
        leave(std::move(unmerged));
      }
    }
  }

  void leave(Unmerged unmerged) {
    const bool is_new = left_.insert(unmerged.folder).second;
    if (is_new) applied_.unmerged.push_back(std::move(unmerged));
  }

  /// The result of one topmost kustomization. Unchanged documents stay as they are; each object of
  /// a changed list becomes a document.
  void take(std::vector<Resource> resources) {
    std::map<const Document*, std::vector<Resource>> by_document;
    for (Resource& resource : resources) {
      by_document[resource.source.node.document()].push_back(std::move(resource));
    }
    for (auto& [document, objects] : by_document) {
      reached_.insert(document);
      const bool is_changed = std::ranges::any_of(objects, [](const Resource& object) {
        return object.tree.has_value() || object.is_uncertain;
      });
      if (!is_changed) {
        unchanged_.insert(document);
        continue;
      }
      for (Resource& object : objects) {
        if (!object.tree) object.tree = read_value(object.source.node);
        if (object.is_deleted || !object.tree) continue;
        auto made = make_document(*object.tree, *document);
        auto& list = object.is_uncertain ? parts_[document] : made_[document];
        list.push_back(made.get());
        applied_.made.push_back(std::move(made));
      }
    }
  }

  void place(const Document& document) {
    if (patches_.contains(&document) || is_overridden(document)) return;
    if (const auto made = made_.find(&document); made != made_.end()) {
      std::ranges::copy(made->second, std::back_inserter(applied_.whole));
    }
    if (const auto parts = parts_.find(&document); parts != parts_.end()) {
      std::ranges::copy(parts->second, std::back_inserter(applied_.fragments));
      applied_.uncertain.push_back(&document);
    }
    if (!reached_.contains(&document) || unchanged_.contains(&document)) {
      applied_.whole.push_back(&document);
    }
  }

  /// Text in a scalar of a base or patch that the result does not use.
  [[nodiscard]] bool is_overridden(const Document& embedded) const {
    const Document* const host = embedded.host;
    const bool is_changed = made_.contains(host) || parts_.contains(host);
    if (host == nullptr || !(is_changed || patches_.contains(host)) || unchanged_.contains(host)) {
      return false;
    }
    return !kept_.contains({host, embedded.host_node});
  }

  /// The scalars with text that the result still uses.
  void find_kept() {
    std::set<std::pair<const Document*, NodeIndex>> hosts;
    for (const Document* document : documents_) {
      if (document->host != nullptr) hosts.insert({document->host, document->host_node});
    }
    if (hosts.empty()) return;
    for (const auto& made : applied_.made) {
      for (const NodeOrigin& origin : made->origins) {
        const std::pair scalar(origin.document, origin.index);
        if (hosts.contains(scalar)) kept_.insert(scalar);
      }
    }
  }

  void add_fragments(const Document& patch) {
    const Node body = root(patch);
    std::vector<Value> written;
    if (body.is_sequence()) {
      written = written_by_json_patch(body);
    } else if (auto value = read_value(body); value && body.is_mapping()) {
      written.push_back(written_by(*value));
    }
    for (const Value& value : written) {
      applied_.made.push_back(make_document(value, patch));
      applied_.fragments.push_back(applied_.made.back().get());
    }
  }

  /// Evident patches that no kustomization among the inputs names.
  void leave_unnamed(const Document& patch) {
    const std::string& path = sources_.file(patch.file).path();
    const std::size_t slash = path.rfind('/');
    leave({slash == std::string::npos ? "." : path.substr(0, slash), root(patch),
           "no kustomization among the inputs names it"});
  }

  const SourceSet& sources_;
  const std::vector<const Document*>& documents_;
  Inputs inputs_;
  std::size_t kustomizations_;  // of the run
  std::set<const Document*> patches_;
  std::set<const Document*> named_;  // by kustomizations, as patches
  std::set<const Document*> merged_;
  std::set<const Document*> reached_;    // some topmost kustomization uses it
  std::set<const Document*> unchanged_;  // … and one of them unchanged
  std::map<const Document*, std::vector<const Document*>> made_;
  std::map<const Document*, std::vector<const Document*>> parts_;
  std::set<std::pair<const Document*, NodeIndex>> kept_;
  std::set<std::string> left_;  // the folders in applied_.unmerged
  Applied applied_;
};

}  // namespace

Applied apply(const SourceSet& sources, const std::vector<const Document*>& documents,
              std::size_t kustomizations) {
  const bool concerns = std::ranges::any_of(documents, [&](const Document* document) {
    return is_any_kustomization(sources, *document) || is_evidently_patch(sources, *document);
  });
  if (!concerns) {
    Applied as_written;
    as_written.whole = documents;
    return as_written;
  }
  return Application(sources, documents, kustomizations).run();
}

}  // namespace gpulint::kustomize
