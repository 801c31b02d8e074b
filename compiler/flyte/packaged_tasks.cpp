#include "compiler/flyte/packaged_tasks.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/flyte/python_entry.h"
#include "compiler/flyte/python_names.h"
#include "compiler/ir/node.h"

namespace gpulint::flyte {
namespace {

constexpr std::string_view with_overrides = ".with_overrides";

/// The node as a separate tree. Serialised text contains no placeholders.
[[nodiscard]] PythonTree copy(Node node) {
  PythonTree tree;
  tree.kind = node.kind();
  tree.style = node.style();
  tree.span = node.span();
  if (node.is_scalar()) tree.text = node.text();
  for (const Node item : node.is_sequence() ? node.items() : std::vector<Node>()) {
    tree.parts.push_back(copy(item));
  }
  for (const Node::Entry& entry : node.entries()) {
    tree.add(std::string(entry.key.text()), entry.key.span(), copy(entry.value));
  }
  return tree;
}

/// flyteidl's names of the fields that Flyte reads, and gpulint's names.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> amounts = {
    {{"CPU", "cpu"},
     {"GPU", "gpu"},
     {"MEMORY", "memory"},
     {"EPHEMERAL_STORAGE", "ephemeral-storage"}}};

/// `[{"name": "GPU", "value": "1"}]` as a mapping.
[[nodiscard]] PythonTree amounts_of(Node list) {
  PythonTree mapping = python_mapping(list.span());
  for (const Node entry : list.items()) {
    const Node value = entry.get("value");
    const auto known = std::ranges::find(amounts, entry.get("name").text(),
                                         &std::pair<std::string_view, std::string_view>::first);
    if (known == amounts.end() || !value.is_scalar()) continue;
    mapping.add(std::string(known->second), entry.get("name").span(), copy(value));
  }
  return mapping;
}

/// Adds `resources` and `extendedResources` of a template, or of a node's overrides.
void add_resources(Node resources, Node extended, PythonTree& into) {
  for (const std::string_view part : {"requests", "limits"}) {
    const Node list = resources.get(part);
    if (list) into.add(std::string(part), list.key_span(), amounts_of(list));
  }
  const Node accelerator = extended.get("gpuAccelerator");
  if (accelerator) into.add("accelerator", accelerator.key_span(), copy(accelerator));
}

/// The requests of a pod's primary container.
void add_amounts_of_pod(Node pod_spec, std::string_view primary, PythonTree& into) {
  for (const Node container : pod_spec.get("containers").items()) {
    if (container.get("name").text() != primary) continue;
    for (const std::string_view part : {"requests", "limits"}) {
      const Node list = container.get("resources").get(part);
      if (list.is_mapping()) into.add(std::string(part), list.key_span(), copy(list));
    }
  }
}

/// Whether a plugin's message has its own pods or amounts, which differ from the template's.
[[nodiscard]] bool has_own_pods(Node custom) {
  static constexpr std::array<std::string_view, 7> keys = {
      "resources",   "k8sPod",  "podTemplate",      "driverPod",
      "executorPod", "podSpec", "extendedResources"};
  for (const Node::Entry& entry : custom.fields()) {
    const bool is_said = !entry.value.fields().empty() || !entry.value.items().empty();
    if ((is_said && is_listed(keys, entry.key.text())) || has_own_pods(entry.value)) return true;
  }
  return std::ranges::any_of(custom.is_sequence() ? custom.items() : std::vector<Node>(),
                             has_own_pods);
}

/// The plugin that creates the pods of a task type; nullopt: unknown.
[[nodiscard]] std::optional<std::string_view> plugin_of(std::string_view type) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 12> types = {
      {{"python-task", "container"},
       {"container", "container"},
       {"raw-container", "container"},
       {"sidecar", "container"},
       {"actor", "container"},
       {"ray", "ray"},
       {"spark", "spark"},
       {"dask", "dask"},
       {"pytorch", "kubeflow"},
       {"tensorflow", "kubeflow"},
       {"mpi", "kubeflow"},
       {"horovod", "kubeflow"}}};
  for (const auto& [name, plugin] : types) {
    if (type == name) return plugin;
  }
  return std::nullopt;
}

[[nodiscard]] bool mentions_gpus(Node node) {
  if (node.is_scalar()) {
    const std::string text = to_lower(node.text());
    return text.find("gpu") != text.npos || text.find("accelerator") != text.npos;
  }
  for (const Node child : node.children()) {
    if (mentions_gpus(child)) return true;
  }
  return false;
}

/// A task's entry; `because`: why it is unknown.
struct PackagedTask {
  std::string name;
  Span place;
  PythonTree entry;
  std::string_view because;
};

/// A node of a workflow that overrides its task's requests.
struct PackagedOverride {
  std::string_view task;
  Node overrides;
};

[[nodiscard]] std::string_view add_target(Node task, PythonTree& entry) {
  const auto plugin = plugin_of(task.get("type").text());
  if (!plugin || (*plugin != "container" && has_own_pods(task.get("custom")))) {
    return "its plugin decides on its pods";
  }
  if (*plugin != "container") {
    entry.add("plugin", task.get("type").key_span(),
              python_scalar(std::string(*plugin), task.get("type").span(), Style::plain));
  }
  if (const Node name = task.get("metadata").get("podTemplateName"); !name.text().empty()) {
    entry.add("podTemplateName", name.key_span(), copy(name));
  }
  const Node pod = task.get("k8sPod");
  if (!pod) return {};
  const Node named = pod.get("primaryContainerName");
  const Node configured = task.get("config").get("primary_container_name");
  const Node spec = pod.get("podSpec");
  const Node primary = named ? named : configured;
  add_amounts_of_pod(spec, primary.text(), entry);
  if (primary) entry.add(std::string(primary_container_key), primary.key_span(), copy(primary));
  entry.add("target", pod.key_span(), python_scalar("k8s_pod", pod.key_span(), Style::plain));
  entry.add("podSpec", spec.key_span(), copy(spec));
  return {};
}

[[nodiscard]] PackagedTask read_template(Node task) {
  const Node name = task.get("id").get("name");
  const Node metadata = task.get("metadata");
  PackagedTask made{std::string(name.text()), name.span(), python_mapping(task.span()), {}};
  PythonTree& entry = made.entry;
  entry.add("name", name.key_span(), copy(name));
  const bool is_flyte2 = metadata.get("runtime").get("version").text().starts_with("2.");
  entry.add(std::string(python_sdk_key), name.span(),
            python_scalar(is_flyte2 ? "flyte" : "flytekit", name.span(), Style::plain));
  add_resources(task.get("container").get("resources"), task.get("extendedResources"), entry);
  const Node interruptible = metadata.get("interruptible");
  if (interruptible) entry.add("interruptible", interruptible.key_span(), copy(interruptible));
  made.because = add_target(task, entry);
  return made;
}

/// Nodes can also be in branches and arrays.
void find_overrides(Node within, std::vector<PackagedOverride>& found) {
  const Node task = within.get("taskNode");
  const Node overrides = task.get("overrides");
  if (!overrides.get("resources").fields().empty() || overrides.get("extendedResources")) {
    found.push_back({task.get("referenceId").get("name").text(), overrides});
  }
  for (const Node child : within.children()) find_overrides(child, found);
}

class Packages {
 public:
  explicit Packages(const std::vector<const Document*>& packages) {
    for (const Document* package : packages) read(*package);
    for (const auto& [document, tasks] : tasks_) {
      for (const PackagedTask& task : tasks) by_name_.emplace(task.name, &task);
    }
  }

  [[nodiscard]] std::map<FileId, PythonTasks> tell() {
    std::map<FileId, PythonTasks> told;
    for (const auto& [document, tasks] : tasks_) {
      const FileId file = document->file;
      PythonTree list;
      list.kind = NodeKind::sequence;
      list.span = document->span;
      PythonTasks& made = told[file];
      made.is_packaged = true;
      for (const PackagedTask& task : tasks) add(task, list, made);
      for (const PackagedOverride& each : overrides_[document]) add_variant(each, list);
      if (!list.parts.empty()) made.document = make_document(list, file, document->span);
    }
    return told;
  }

 private:
  void read(const Document& document) {
    auto& tasks = tasks_.emplace_back(&document, std::vector<PackagedTask>()).second;
    std::set<std::string, std::less<>> seen;
    for (const Node spec : root(document).items()) {
      const Node made = spec.get("template");
      if (made.get("id").get("resourceType").text() != "TASK") {
        find_overrides(spec, overrides_[&document]);
        continue;
      }
      const bool has_pod = made.get("container") || made.get("k8sPod");
      PackagedTask task = read_template(made);
      if (!has_pod || !seen.insert(task.name).second) continue;
      if (!task.because.empty() && !mentions_gpus(made)) continue;
      tasks.push_back(std::move(task));
    }
  }

  static void add(const PackagedTask& task, PythonTree& list, PythonTasks& made) {
    if (!task.because.empty()) {
      made.open.push_back({task.name, task.place, task.because});
    } else if (asks_for_gpus(task.entry) || task.entry.find("podTemplateName") != nullptr) {
      list.parts.push_back(task.entry);
    }
  }

  /// The same node occurs again if one workflow is part of another.
  void add_variant(const PackagedOverride& each, PythonTree& list) {
    const PackagedTask* of = find(each.task, list.span.file);
    if (of == nullptr || !of->because.empty()) return;
    PythonTree overrides = python_mapping(each.overrides.span());
    add_resources(each.overrides.get("resources"), each.overrides.get("extendedResources"),
                  overrides);
    PythonTree entry = of->entry;
    entry.span = each.overrides.span();
    entry.add("overrides", each.overrides.key_span(), std::move(overrides));
    if (!asks_for_gpus(entry)) return;
    std::vector<PythonTree>& variants = variants_[each.task];
    const auto is_same = [&](const PythonTree& other) {
      return is_alike(other, entry.parts.back());
    };
    if (std::ranges::any_of(variants, is_same)) return;
    variants.push_back(entry.parts.back());
    PythonTree& name = entry.parts[1];  // the first key's value
    name.span = each.overrides.span();
    name.text += with_overrides;
    if (variants.size() > 1) name.text += fmt::format("-{}", variants.size());
    list.parts.push_back(std::move(entry));
  }

  /// Whether both are equal, ignoring their places.
  [[nodiscard]] static bool is_alike(const PythonTree& one, const PythonTree& other) {
    return one.text == other.text && std::ranges::equal(one.parts, other.parts, is_alike);
  }

  /// The task with this name, in this package or else in another.
  [[nodiscard]] const PackagedTask* find(std::string_view name, FileId file) const {
    const PackagedTask* found = nullptr;
    const auto [first, end] = by_name_.equal_range(name);
    for (auto at = first; at != end; ++at) {
      if (found == nullptr || at->second->place.file == file) found = at->second;
    }
    return found;
  }

  std::vector<std::pair<const Document*, std::vector<PackagedTask>>> tasks_;
  std::multimap<std::string_view, const PackagedTask*> by_name_;
  std::map<const Document*, std::vector<PackagedOverride>> overrides_;
  std::map<std::string_view, std::vector<PythonTree>> variants_;  // overrides, by task
};

}  // namespace

std::map<FileId, PythonTasks> read_packaged_tasks(const std::vector<const Document*>& packages) {
  return Packages(packages).tell();
}

std::string_view variant_suffix(std::string_view name) {
  for (const std::string_view suffix : {with_overrides, std::string_view(".override")}) {
    const std::size_t at = name.rfind(suffix);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = name.substr(at + suffix.size());
    if (rest.empty() || rest.front() == '-') return name.substr(at);
  }
  return {};
}

}  // namespace gpulint::flyte
