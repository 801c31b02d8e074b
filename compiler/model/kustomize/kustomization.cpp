#include "compiler/model/kustomize/kustomization.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace gpulint::kustomize {
namespace {

namespace fs = std::filesystem;

[[nodiscard]] bool is_remote(std::string_view path) {
  return path.find("://") != std::string_view::npos ||
         path.find("?ref=") != std::string_view::npos || path.starts_with("git@") ||
         path.starts_with("github.com/");
}

[[nodiscard]] std::string joined(const std::string& folder, std::string_view path) {
  std::string result = (fs::path(folder) / path).lexically_normal().generic_string();
  if (result.size() > 1 && result.ends_with('/')) result.pop_back();
  return result;
}

/// A path that leads out of the current folder and back, without the detour.
void shorten(std::string& path, const std::string& current_folder) {
  if (!path.starts_with("..") || current_folder.empty()) return;
  path =
      fs::path(joined(current_folder, path)).lexically_proximate(current_folder).generic_string();
}

/// The text of a patch has lines, or is a mapping or list in flow style; a path is neither.
[[nodiscard]] bool is_inline(std::string_view text) {
  return text.find('\n') != std::string_view::npos || text.starts_with('{') ||
         text.starts_with('[');
}

[[nodiscard]] Target read_target(Node node) {
  const auto text = [&](std::string_view key) { return std::string(node.get(key).text()); };
  return {.group = text("group"),
          .version = text("version"),
          .kind = text("kind"),
          .name = text("name"),
          .name_space = text("namespace"),
          .labels = text("labelSelector"),
          .has_annotations = bool(node.get("annotationSelector"))};
}

[[nodiscard]] Patch read_patch(Node entry, const std::string& folder) {
  Patch patch{.entry = entry, .path = {}, .text = {}, .target = {}};
  if (const Node path = entry.get("path")) patch.path = joined(folder, path.text());
  if (patch.path.empty()) patch.text = entry.get("patch");
  if (const Node target = entry.get("target")) patch.target = read_target(target);
  return patch;
}

void read_resources(Node list, const std::string& folder, std::vector<std::string>& paths,
                    std::vector<Node>& unread) {
  for (const Node item : list.items()) {
    const bool is_unread = !item.is_scalar() || is_remote(item.text()) || item.is_opaque();
    if (is_unread || is_inline(item.text())) {
      unread.push_back(item);
    } else {
      paths.push_back(joined(folder, item.text()));
    }
  }
}

void read_patches(Kustomization& read) {
  // In the order of kustomize's own transformers.
  for (const Node item : read.root.get("patchesStrategicMerge").items()) {
    Patch& patch = read.patches.emplace_back();
    patch.entry = item;
    if (is_inline(item.text())) {
      patch.text = item;
    } else {
      patch.path = joined(read.folder, item.text());
    }
  }
  for (const std::string_view list : {"patches", "patchesJson6902"}) {
    for (const Node entry : read.root.get(list).items()) {
      // in old versions `patches` was a list of paths
      if (entry.is_mapping()) {
        read.patches.push_back(read_patch(entry, read.folder));
        read.patches.back().is_last = list == "patchesJson6902";
      }
      if (entry.is_scalar() && !is_inline(entry.text())) {
        Patch& patch = read.patches.emplace_back();
        patch.entry = entry;
        patch.path = joined(read.folder, entry.text());
      }
    }
  }
}

}  // namespace

bool is_kustomization_name(std::string_view path) {
  return std::ranges::find(file_names, path.substr(path.rfind('/') + 1)) != file_names.end();
}

bool is_kustomization(Node root, std::string_view path) {
  if (!root.is_mapping()) return false;
  const std::string_view kind = root.get("kind").text();
  const std::string_view version = root.get("apiVersion").text();
  const bool is_own = version.starts_with("kustomize.config.k8s.io/");
  if (kind == "Kustomization" || kind == "Component") {
    return is_own || (version.empty() && is_kustomization_name(path));
  }
  return kind.empty() && (is_own || version.empty()) && is_kustomization_name(path);
}

bool is_applied_whole(const Kustomization& kustomization) {
  constexpr auto applied = std::to_array<std::string_view>(
      {"apiVersion", "kind", "metadata", "resources", "bases", "components", "patches",
       "patchesStrategicMerge", "patchesJson6902", "labels", "commonLabels", "commonAnnotations",
       "namespace", "namePrefix", "nameSuffix", "sortOptions", "buildMetadata",
       "generatorOptions"});
  const auto is_applied = [&](const Node::Entry& entry) {
    return (!entry.value.is_scalar() && entry.value.size() == 0) || entry.value.is_null() ||
           std::ranges::find(applied, entry.key.text()) != applied.end();
  };
  return kustomization.unread_resources.empty() && kustomization.unread_changes.empty() &&
         std::ranges::all_of(kustomization.root.entries(), is_applied) &&
         std::ranges::none_of(kustomization.patches, [](const Patch& patch) {
           return patch.target && patch.target->has_annotations;
         });
}

bool runs_helm(const Kustomization& kustomization) {
  return kustomization.root.get("helmCharts").size() > 0 ||
         kustomization.root.get("helmChartInflationGenerator").size() > 0;
}

Kustomization read_kustomization(Node root, const std::string& path,
                                 const std::string& current_folder) {
  Kustomization read;
  read.root = root;
  read.path = path;
  const std::size_t slash = path.rfind('/');
  if (slash != std::string::npos) read.folder = path.substr(0, std::max<std::size_t>(slash, 1));
  read.is_component = root.get("kind").text() == "Component";
  for (const std::string_view list : {"resources", "bases"}) {
    read_resources(root.get(list), read.folder, read.resources, read.unread_resources);
  }
  read_resources(root.get("components"), read.folder, read.components, read.unread_changes);
  read_patches(read);
  for (std::string& each : read.resources) shorten(each, current_folder);
  for (std::string& each : read.components) shorten(each, current_folder);
  for (Patch& patch : read.patches) shorten(patch.path, current_folder);
  for (const std::string_view key : {"generators", "helmCharts", "helmChartInflationGenerator"}) {
    if (const Node unread = root.get(key); unread.size() > 0) {
      read.unread_resources.push_back(unread);
    }
  }
  for (const std::string_view key : {"transformers", "replacements"}) {
    if (const Node unread = root.get(key); unread.size() > 0) read.unread_changes.push_back(unread);
  }
  read.configures_names = root.get("configurations").size() > 0 || root.get("crds").size() > 0;
  return read;
}

}  // namespace gpulint::kustomize
