#include "compiler/project/flux_variables.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "compiler/base/text.h"
#include "compiler/ir/document.h"
#include "compiler/model/objects.h"
#include "compiler/project/kustomize_files.h"
#include "compiler/project/path_words.h"
#include "frontend/yaml_parser.h"

namespace gpulint {
namespace {

constexpr std::size_t most_bytes = 1U << 20U;  // of a file with Kustomizations or ConfigMaps
constexpr std::string_view section = "postBuild";

[[nodiscard]] std::size_t count(std::string_view text, std::string_view word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + word.size())) {
    ++found;
  }
  return found;
}

using Documents = std::vector<std::unique_ptr<Document>>;

/// The objects of a kind and group in the documents.
[[nodiscard]] std::vector<Node> objects_of(const Documents& documents, std::string_view kind,
                                           std::string_view version) {
  std::vector<Node> found;
  for (const auto& document : documents) {
    if (!document->errors.empty()) continue;
    for (const KubernetesObject& object : find_objects(root(*document))) {
      if (object.kind.equals(std::string(kind)) &&
          object.api_version.value_or("").starts_with(version)) {
        found.push_back(object.node);
      }
    }
  }
  return found;
}

[[nodiscard]] std::vector<Node> kustomizations_in(const Documents& documents) {
  std::vector<Node> found = objects_of(documents, "Kustomization", "kustomize.toolkit.fluxcd.io/");
  std::erase_if(found, [](Node each) { return !each.at("spec", "postBuild"); });
  return found;
}

[[nodiscard]] std::optional<std::string> known_text(Node node) {
  if (!node.is_scalar() || node.is_opaque()) return std::nullopt;
  return std::string(node.text());
}

void set(Node data, Substitutes& sets) {
  for (const Node::Entry& entry : data.fields()) {
    sets.values[std::string(entry.key.text())] = known_text(entry.value);
  }
}

/// Whether two objects may be in one namespace: it is equal, or one has none.
[[nodiscard]] bool may_share_namespace(Node one, Node other) {
  const std::string_view a = one.at("metadata", "namespace").text();
  const std::string_view b = other.at("metadata", "namespace").text();
  return a.empty() || b.empty() || a == b;
}

/// Adds the entries of all ConfigMaps with a name. A value is unknown if two of them differ. False
/// if there is no such ConfigMap, or one is encrypted or a template.
[[nodiscard]] bool add_config_maps(Node kustomization, const std::string& name,
                                   const SourceSet& sources, const std::vector<FileId>& inputs,
                                   Substitutes& sets) {
  std::map<std::string, std::optional<std::string>, std::less<>> values;
  bool is_found = false;
  for (const FileId input : inputs) {
    const SourceFile& file = sources.file(input);
    const std::string_view text = file.text();
    if (text.size() > most_bytes || !may_hold_config_map(text, name)) continue;
    const Documents documents = parse_file(file);
    for (const Node object : objects_of(documents, "ConfigMap", "v1")) {
      if (object.at("metadata", "name").text() != name ||
          !may_share_namespace(object, kustomization)) {
        continue;
      }
      if (object.get("sops") || object.get("data").is_opaque()) return false;
      is_found = true;
      for (const Node::Entry& entry : object.get("data").fields()) {
        const auto value = known_text(entry.value);
        const auto [at, is_new] = values.try_emplace(std::string(entry.key.text()), value);
        if (!is_new && at->second != value) at->second = std::nullopt;
      }
    }
  }
  for (auto& [key, value] : values) sets.values[key] = std::move(value);
  return is_found;
}

[[nodiscard]] std::optional<std::string> folder_of_kustomization(Node spec) {
  const Node path = spec.get("path");
  if (path && (!path.is_scalar() || path.is_opaque())) return std::nullopt;
  const std::string text =
      std::filesystem::path("./" + std::string(path.text())).lexically_normal().generic_string();
  const std::string_view bare = std::string_view(text).substr(0, text.find_last_not_of('/') + 1);
  return bare == "." ? std::string() : std::string(bare);
}

}  // namespace

bool may_set_variables(std::string_view text) {
  return text.size() <= most_bytes && has_text(text, section);
}

bool may_hold_config_map(std::string_view text, std::string_view name) {
  return has_text(text, name) && has_text(text, "ConfigMap");
}

std::set<std::string> config_maps_of_variables(const SourceFile& file) {
  std::set<std::string> names;
  const Documents documents = parse_file(file);
  for (const Node object : kustomizations_in(documents)) {
    for (const Node source : object.at("spec", "postBuild", "substituteFrom").items()) {
      const Node name = source.get("name");
      if (source.get("kind").text() == "ConfigMap" && known_text(name)) {
        names.emplace(name.text());
      }
    }
  }
  return names;
}

FluxVariables::FluxVariables(const SourceSet& sources, const std::vector<FileId>& inputs,
                             const KustomizeFiles& kustomize_files,
                             std::map<FileId, std::string> places)
    : sources_(&sources), places_(std::move(places)) {
  for (const FileId input : inputs) {
    const SourceFile& file = sources.file(input);
    if (may_set_variables(file.text())) read(file, inputs);
  }
  std::map<std::string, std::shared_ptr<const std::set<FileId>>> by_path;
  for (Kustomization& each : kustomizations_) {
    if (!each.path) continue;
    const auto [at, is_new] = by_path.try_emplace(*each.path);
    if (is_new) {
      std::vector<FileId> inside = kustomize_files.all();
      std::erase_if(inside, [&](FileId file) { return !is_inside(place_of(file), *each.path); });
      at->second = std::make_shared<const std::set<FileId>>(kustomize_files.joined(inside));
    }
    each.files = at->second;
  }
}

std::string_view FluxVariables::place_of(FileId file) const {
  const auto place = places_.find(file);
  return place == places_.end() ? std::string_view(sources_->file(file).path()) : place->second;
}

void FluxVariables::read(const SourceFile& file, const std::vector<FileId>& inputs) {
  const Documents documents = parse_file(file);
  const std::vector<Node> found = kustomizations_in(documents);
  // Other Kustomizations are in patches, templates or invalid documents.
  if (found.size() < count(file.text(), section)) may_be_others_ = true;
  for (const Node object : found) {
    const Node spec = object.get("spec");
    Kustomization read{folder_of_kustomization(spec), {}, nullptr};
    const Node from = spec.at("postBuild", "substituteFrom");
    bool is_known = !from.is_opaque();
    for (const Node source : from.items()) {
      const auto name = known_text(source.get("name"));
      const bool is_read = name && source.get("kind").text() == "ConfigMap" &&
                           add_config_maps(object, *name, *sources_, inputs, read.sets);
      if (is_read) continue;
      is_known = false;
      for (auto& [key, value] : read.sets.values) value = std::nullopt;  // a later one may differ
    }
    read.sets.may_set_others = !is_known;
    const Node inline_values = spec.at("postBuild", "substitute");
    if (inline_values.is_opaque()) may_be_others_ = true;
    set(inline_values, read.sets);
    kustomizations_.push_back(std::move(read));
  }
}

Substitutes FluxVariables::of(FileId file) const {
  Substitutes result;
  if (may_be_others_) return {.values = {}, .may_set_others = true};
  std::vector<const Substitutes*> around;
  for (const Kustomization& each : kustomizations_) {
    const bool is_built = (each.files && each.files->contains(file)) ||
                          (each.path && is_inside(place_of(file), *each.path));
    if (is_built) around.push_back(&each.sets);
  }
  const bool is_covered = !around.empty();
  for (const Kustomization& each : kustomizations_) {
    if (!is_covered && each.sets.may_set_others) result.may_set_others = true;
    for (const auto& [name, value] : each.sets.values) {
      if (!is_covered || !each.path) result.values.try_emplace(name, std::nullopt);
    }
  }
  for (const Substitutes* sets : around) {
    result.may_set_others = result.may_set_others || sets->may_set_others;
    for (const auto& [name, value] : sets->values) {
      const bool is_same = std::ranges::all_of(around, [&](const Substitutes* other) {
        const auto at = other->values.find(name);
        return at != other->values.end() && at->second == value;
      });
      result.values.try_emplace(name, is_same ? value : std::nullopt);
    }
  }
  return result;
}

}  // namespace gpulint
