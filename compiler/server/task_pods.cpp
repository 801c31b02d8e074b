#include "compiler/server/task_pods.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "backends/compiled_pods.h"
#include "compiler/base/text.h"
#include "compiler/flyte/analysis.h"
#include "compiler/ir/key_path.h"

namespace gpulint::server {
namespace {

constexpr std::string_view pod_scheme = "gpulint-pod:";
constexpr std::string_view ending = ".yaml";

/// The folder and the pods that a URI names; the folder is null if it is not known.
struct TaskPods {
  CheckedRoot* root = nullptr;
  std::vector<const flyte::CompiledPod*> pods = {};
};

[[nodiscard]] TaskPods find_pods(Workspace& workspace, std::string_view uri) {
  if (!is_pod_uri(uri)) return {};
  uri.remove_prefix(pod_scheme.size());
  if (uri.starts_with("//")) uri.remove_prefix(2);  // an empty host
  const std::string path = path_of_uri("file://" + std::string(uri));
  for (auto& [folder, root] : workspace.roots()) {
    if (root.check == nullptr || !path.starts_with(folder + "/")) continue;
    std::string_view task = std::string_view(path).substr(folder.size() + 1);
    if (!task.ends_with(ending)) continue;
    task.remove_suffix(ending.size());
    TaskPods found{&root};
    for (const flyte::CompiledPod* pod : compile_root(root).all) {
      if (pod->task == task) found.pods.push_back(pod);
    }
    if (!found.pods.empty()) return found;
  }
  return {};
}

/// `/containers/0/resources/limits/nvidia.com~1gpu` → `spec.containers[0].resources.limits[…]`
[[nodiscard]] std::string path_of_pointer(std::string_view pointer) {
  std::string path = "spec";
  pointer.remove_prefix(std::min<std::size_t>(pointer.size(), 1));
  while (!pointer.empty()) {
    const std::string segment = unescape_pointer_segment(take_part(pointer, '/'));
    if (segment.find_first_not_of("0123456789") == std::string::npos) {
      path += "[" + segment + "]";
      continue;
    }
    const bool is_plain = segment.find_first_of("./~") == std::string::npos;
    path += is_plain ? "." + segment : "[" + segment + "]";
  }
  return path;
}

}  // namespace

bool is_pod_uri(std::string_view uri) { return uri.starts_with(pod_scheme); }

std::string pod_uri(const std::string& folder, const std::string& task) {
  const std::string file = uri_of_path(folder + "/" + task + std::string(ending));
  return std::string(pod_scheme) + file.substr(std::string_view("file://").size());
}

std::string pod_text(Workspace& workspace, const std::string& uri) {
  const TaskPods found = find_pods(workspace, uri);
  if (found.root == nullptr) return "# gpulint finds no pod for this task\n";
  return compiled_yaml(found.pods, found.root->project().sources).text;
}

Json pod_definitions(Workspace& workspace, const OpenTexts& texts, Units units,
                     const std::string& uri, Place place) {
  Json locations = Json::array();
  const TaskPods found = find_pods(workspace, uri);
  if (found.root == nullptr) return locations;
  const PodText shown = compiled_yaml(found.pods, found.root->project().sources);
  const Lines lines(shown.text, units);
  const auto origin = std::ranges::find_if(shown.origins, [&](const auto& each) {
    return lines.place(static_cast<std::uint32_t>(each.first)).line == place.line;
  });
  if (origin == shown.origins.end()) return locations;
  const Span span = origin->second.span();
  Ranges ranges(*found.root, texts, units);
  locations.push_back({{"uri", ranges.uri(span.file)}, {"range", ranges.range(span)}});
  return locations;
}

std::string describe_use(CheckedRoot& root, FileId file, std::uint32_t offset) {
  std::set<std::string> paths;
  std::set<std::string> tasks;
  std::uint32_t least = 0;  // size of the innermost value
  for (const flyte::CompiledPod* pod : compile_root(root).all) {
    for (const flyte::Origin& origin : pod->origins) {
      const Span span = origin.node ? origin.node.span() : Span{};
      if (!origin.node || !covers(span, file, offset)) continue;
      if (paths.empty() || span.size() < least) {
        least = static_cast<std::uint32_t>(span.size());
        paths.clear();
        tasks.clear();
      }
      if (span.size() > least) continue;
      paths.insert(path_of_pointer(origin.pointer));
      tasks.insert(pod->task);
    }
  }
  if (paths.empty()) return {};
  std::string text = "Flyte writes it to";
  for (const std::string& path : paths) {
    text += fmt::format("{} `{}`", path == *paths.begin() ? "" : ",", path);
  }
  return text + (tasks.size() == 1 ? fmt::format(" of the pod of task `{}`", *tasks.begin())
                                   : fmt::format(" of the pods of {} tasks", tasks.size()));
}

Json hints_of(CheckedRoot& root, FileId file, Ranges& ranges) {
  Json hints = Json::array();
  std::set<std::pair<std::uint32_t, std::string>> told;
  const auto add = [&](Node node, const std::string& meaning) {
    if (!node || node.span().file != file) return;
    if (!told.emplace(node.span().end, meaning).second) return;
    hints.push_back({{"position", ranges.range(node.span())["end"]},
                     {"label", "→ " + meaning},
                     {"paddingLeft", true}});
  };
  for (const Scope& scope : root.project().scopes) {
    for (const flyte::Installation& installation : scope.flyte.installations) {
      for (const flyte::Task& task : installation.tasks) {
        const flyte::TaskAccelerator* const accelerator = flyte::accelerator_of(task);
        if (accelerator != nullptr) add(accelerator->node, accelerator->device.value);
      }
    }
  }
  for (const flyte::CompiledPod* pod : compile_root(root).all) {
    for (const flyte::Origin& origin : pod->origins) {
      const std::string path = path_of_pointer(origin.pointer);
      const std::size_t bracket = path.rfind('[');
      const bool is_gpu = origin.key.starts_with("task.") && origin.key.ends_with(".gpu") &&
                          path.ends_with(']') && path.find(".resources.") != std::string::npos;
      if (is_gpu) add(origin.node, path.substr(bracket + 1, path.size() - bracket - 2));
    }
  }
  return hints;
}

}  // namespace gpulint::server
