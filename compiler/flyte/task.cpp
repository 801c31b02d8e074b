#include "compiler/flyte/task.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/flyte/read_config.h"
#include "compiler/ir/scalar.h"
#include "compiler/model/read_pod.h"
#include "compiler/model/task_amounts.h"

namespace gpulint::flyte {
namespace {

/// A scalar's value as text, numbers and booleans included; empty where there is none.
[[nodiscard]] std::string scalar_text(Node node) {
  if (!node.is_scalar() || node.is_null()) return {};
  const auto scalar = read_kubernetes_scalar(node);
  return scalar ? scalar->text : std::string(node.text());
}

[[nodiscard]] bool is_true(Node node) { return scalar_text(node) == "true"; }

[[nodiscard]] std::vector<TaskResource> read_amounts(Node mapping) {
  std::vector<TaskResource> result;
  for (const Node::Entry& entry : mapping.fields()) {
    if (entry.value.is_null()) continue;
    const auto amount = entry.value.is_opaque()
                            ? Field<std::string>::opaque(entry.value)
                            : Field<std::string>::known(scalar_text(entry.value), entry.value);
    result.push_back({{std::string(entry.key.text()), entry.key}, amount});
  }
  return result;
}

[[nodiscard]] TaskAccelerator to_accelerator(const AcceleratorSpec& spec, Node node) {
  TaskAccelerator accelerator;
  accelerator.node = node;
  accelerator.device = {spec.device, node};
  if (spec.partition_size)
    accelerator.partition_size = Value<std::string>{*spec.partition_size, node};
  accelerator.unpartitioned = spec.unpartitioned;
  accelerator.device_class = spec.device_class;
  return accelerator;
}

void set_amount(std::string_view name, std::string_view amount, std::vector<TaskResource>& list) {
  const auto known = std::ranges::find(
      list, name, [](const TaskResource& r) { return std::string_view(r.name.value); });
  const auto field = Field<std::string>::known(std::string(amount));
  if (known != list.end()) {
    known->amount = field;
  } else {
    list.push_back({{std::string(name), {}}, field});
  }
}

[[nodiscard]] bool has_amount(std::string_view name, const std::vector<TaskResource>& list) {
  return std::ranges::any_of(list, [&](const TaskResource& r) { return r.name.value == name; });
}

/// A constant or device string, with the count that Flyte 2's spelling may carry.
[[nodiscard]] TaskAccelerator apply_constant(std::string_view text, Node node, FlyteVersion version,
                                             Task& task) {
  const AcceleratorSpec spec = parse_accelerator(text, version);
  if (!spec.problem.empty()) task.problem = spec.problem;
  if (spec.count && !has_amount("gpu", task.requests)) {
    set_amount("gpu", *spec.count, task.requests);
    task.requests.back().name.node = node;
    task.requests.back().amount = Field<std::string>::known(*spec.count, node);
  }
  return to_accelerator(spec, node);
}

[[nodiscard]] std::optional<TaskAccelerator> read_accelerator(Node node, FlyteVersion version,
                                                              Task& task) {
  if (!node || node.is_null()) return std::nullopt;
  if (node.is_scalar()) return apply_constant(scalar_text(node), node, version, task);
  TaskAccelerator accelerator;
  accelerator.node = node;
  accelerator.device = {scalar_text(node.get("device")), node.get("device")};
  if (const Node size = node.get("partitionSize"); size && !size.is_null()) {
    accelerator.partition_size = Value<std::string>{scalar_text(size), size};
  }
  if (const Node whole = node.get("unpartitioned"); whole && !whole.is_null()) {
    accelerator.unpartitioned = is_true(whole);
  }
  if (const std::string name = scalar_text(node.get("deviceClass")); !name.empty()) {
    accelerator.device_class = name;
  }
  return accelerator;
}

[[nodiscard]] std::optional<TaskPlugin> parse_plugin(std::string_view text) {
  for (const TaskPlugin plugin : {TaskPlugin::container, TaskPlugin::ray, TaskPlugin::spark,
                                  TaskPlugin::dask, TaskPlugin::kubeflow}) {
    if (to_string(plugin) == text) return plugin;
  }
  return std::nullopt;
}

void set_plugin(std::string_view text, Task& task) {
  if (text.empty()) return;
  if (const auto plugin = parse_plugin(text)) {
    task.plugin = *plugin;
  } else {
    task.problem = fmt::format("no plugin is called `{}`", text);
  }
}

void set_target(std::string_view text, Task& task) {
  if (text == "k8s_pod") task.target = TaskTarget::k8s_pod;
}

void read_overrides(Node overrides, FlyteVersion version, Task& task) {
  if (!overrides.is_mapping()) return;
  if (const Node requests = overrides.get("requests"); requests.is_mapping()) {
    task.override_requests = read_amounts(requests);
  }
  if (const Node limits = overrides.get("limits"); limits.is_mapping()) {
    task.override_limits = read_amounts(limits);
  }
  task.override_accelerator = read_accelerator(overrides.get("accelerator"), version, task);
}

/// Gives what a `--task` text says the place of the text.
void set_place(Node place, Task& task) {
  task.node = place;
  for (auto* list : {&task.requests, &task.limits}) {
    for (TaskResource& resource : *list) {
      resource.name.node = place;
      resource.amount = Field<std::string>::known(resource.amount.value(), place);
    }
  }
  if (!task.accelerator) return;
  task.accelerator->node = place;
  task.accelerator->device.node = place;
  if (task.accelerator->partition_size) task.accelerator->partition_size->node = place;
}

constexpr std::array<std::string_view, 9> task_options = {
    "name",          "accelerator", "device",        "partition", "partitionSize",
    "unpartitioned", "deviceClass", "interruptible", "plugin"};

/// Why a key of a `--task` text means nothing; empty where it does.
[[nodiscard]] std::string key_problem(std::string_view key) {
  std::string_view name = key;
  for (const std::string_view prefix : {"requests.", "limits."}) {
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  }
  const bool is_option =
      name.size() == key.size() &&
      (key == "target" || std::ranges::find(task_options, key) != task_options.end());
  if (is_option || is_task_amount(name)) return {};
  std::vector<std::string_view> known(task_options.begin(), task_options.end());
  known.insert(known.end(), task_amounts.begin(), task_amounts.end());
  const auto meant = nearest(name, known);
  return meant ? fmt::format("a task has no `{}`; did you mean `{}`?", key, *meant)
               : fmt::format("a task has no `{}`; it takes {}", key, fmt::join(known, ", "));
}

/// One `key=value` or bare word of a `--task` text.
void apply_option(std::string_view key, std::string_view value, FlyteVersion version, Task& task) {
  const auto accelerator = [&]() -> TaskAccelerator& {
    if (!task.accelerator) task.accelerator.emplace();
    return *task.accelerator;
  };
  if (key == "name") {
    task.name = value;
  } else if (key == "accelerator") {
    task.accelerator = apply_constant(value, {}, version, task);
  } else if (key == "device") {
    accelerator().device.value = value;
  } else if (key == "partition" || key == "partitionSize") {
    accelerator().partition_size = Value<std::string>{std::string(value), {}};
  } else if (key == "unpartitioned") {
    accelerator().unpartitioned = value != "false";
  } else if (key == "deviceClass") {
    accelerator().device_class = value;
  } else if (key == "interruptible") {
    task.interruptible = value != "false";
  } else if (key == "plugin") {
    set_plugin(value, task);
  } else if (key == "target") {
    set_target(value, task);
  } else if (auto problem = key_problem(key); !problem.empty()) {
    task.problem = std::move(problem);
  } else if (value.empty()) {
    task.problem = fmt::format("`{}` needs a value", key);
  } else if (key.starts_with("limits.")) {
    set_amount(key.substr(7), value, task.limits);
  } else {
    set_amount(key.starts_with("requests.") ? key.substr(9) : key, value, task.requests);
  }
}

}  // namespace

std::string_view to_string(TaskPlugin plugin) {
  switch (plugin) {
    case TaskPlugin::container:
      return "container";
    case TaskPlugin::ray:
      return "ray";
    case TaskPlugin::spark:
      return "spark";
    case TaskPlugin::dask:
      return "dask";
    case TaskPlugin::kubeflow:
      return "kubeflow";
  }
  return "";
}

Task read_task(Node entry, FlyteVersion version) {
  if (entry.is_scalar()) {
    Task task = parse_task_spec(entry.text(), version);
    set_place(entry, task);
    return task;
  }
  Task task;
  task.node = entry;
  if (!entry.is_mapping()) {
    task.problem = "a task must be a mapping";
    return task;
  }
  task.name = scalar_text(entry.get("name"));
  task.requests = read_amounts(entry.get("requests"));
  task.limits = read_amounts(entry.get("limits"));
  task.accelerator = read_accelerator(entry.get("accelerator"), version, task);
  task.interruptible = is_true(entry.get("interruptible"));
  set_target(scalar_text(entry.get("target")), task);
  set_plugin(scalar_text(entry.get("plugin")), task);
  const Node pod_spec = entry.get("podSpec");
  if (pod_spec.is_mapping()) {
    task.pod_spec = read_pod_spec(pod_spec);
    task.affinity = read_go_yaml(pod_spec.get("affinity")).value;
  }
  read_overrides(entry.get("overrides"), version, task);
  return task;
}

Task parse_task_spec(std::string_view text, FlyteVersion version) {
  Task task;
  while (!text.empty()) {
    const std::string_view option = take_part(text, ',');
    const std::size_t equals = option.find('=');
    const bool has_value = equals != std::string_view::npos;
    if (option.empty()) continue;
    apply_option(option.substr(0, equals),
                 has_value ? option.substr(equals + 1) : std::string_view{}, version, task);
  }
  return task;
}

std::string find_task_spec_problem(std::string_view text) {
  while (!text.empty()) {
    std::string_view option = take_part(text, ',');
    const std::string_view key = take_part(option, '=');
    if (auto problem = key.empty() ? std::string{} : key_problem(key); !problem.empty()) {
      return problem;
    }
  }
  return {};
}

std::vector<Node> task_entries(Node root) {
  return root.is_mapping() ? root.get("tasks").items() : root.items();
}

}  // namespace gpulint::flyte
