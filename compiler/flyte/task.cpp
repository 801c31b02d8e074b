#include "compiler/flyte/task.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/flyte/read_config.h"
#include "compiler/ir/scalar.h"
#include "compiler/model/kinds/task_amounts.h"
#include "compiler/model/read_pod.h"

namespace gpulint::flyte {
namespace {

/// A scalar's value as text, including numbers and booleans; empty if there is none.
[[nodiscard]] std::string scalar_text(Node node) {
  if (!node.is_scalar() || node.is_null()) return {};
  const auto scalar = read_kubernetes_scalar(node);
  return scalar ? scalar->text : std::string(node.text());
}

[[nodiscard]] bool is_true(Node node) { return scalar_text(node) == "true"; }

/// A word as written: a task may be named `y`.
[[nodiscard]] std::string word(Node node) {
  return node.is_scalar() && !node.is_null() ? std::string(node.text()) : std::string();
}

void add_amount(const Node::Entry& entry, std::vector<TaskResource>& list) {
  if (entry.value.is_null()) return;
  const auto amount = entry.value.is_opaque()
                          ? Field<std::string>::opaque(entry.value)
                          : Field<std::string>::known(scalar_text(entry.value), entry.value);
  list.push_back({{std::string(entry.key.text()), entry.key}, amount});
}

[[nodiscard]] std::vector<TaskResource> read_amounts(Node mapping) {
  std::vector<TaskResource> result;
  for (const Node::Entry& entry : mapping.fields()) add_amount(entry, result);
  return result;
}

/// The mapping under a key of a task; anything else becomes the task's problem.
[[nodiscard]] Node mapping_of(Node entry, std::string_view key, Task& task) {
  const Node value = entry.get(key);
  if (value && !value.is_null() && !value.is_mapping() && !value.is_opaque()) {
    task.problem = fmt::format("`{}` must be a mapping", key);
  }
  return value;
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

/// A constant or device string, with the count that Flyte 2's spelling may have.
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

/// Device and partition from a mapping.
void read_parts(Node node, TaskAccelerator& accelerator) {
  if (const Node device = node.get("device"); device && !device.is_null()) {
    accelerator.device = {word(device), device};
  }
  for (const std::string_view key : {"partition", "partitionSize"}) {
    const Node size = node.get(key);
    if (size && !size.is_null()) accelerator.partition_size = Value<std::string>{word(size), size};
  }
  if (const Node whole = node.get("unpartitioned"); whole && !whole.is_null()) {
    accelerator.unpartitioned = is_true(whole);
  }
  if (const std::string name = word(node.get("deviceClass")); !name.empty()) {
    accelerator.device_class = name;
  }
}

[[nodiscard]] std::optional<TaskAccelerator> read_accelerator(Node node, FlyteVersion version,
                                                              Task& task) {
  if (!node || node.is_null()) return std::nullopt;
  if (node.is_scalar()) return apply_constant(scalar_text(node), node, version, task);
  TaskAccelerator accelerator;
  accelerator.node = node;
  accelerator.device = {{}, node.get("device")};
  read_parts(node, accelerator);
  return accelerator;
}

/// The parts of an accelerator next to the task's other keys, as in a `--task` text.
void read_loose_parts(Node entry, Task& task) {
  static constexpr std::array<std::string_view, 5> parts = {"device", "partition", "partitionSize",
                                                            "unpartitioned", "deviceClass"};
  for (const std::string_view part : parts) {
    const Node value = entry.get(part);
    if (!value || value.is_null()) continue;
    if (!task.accelerator) task.accelerator.emplace().node = value;
    read_parts(entry, *task.accelerator);
  }
}

/// Amounts next to the task's other keys: requests, unless `requests` has them.
void read_loose_amounts(Node entry, Task& task) {
  for (const Node::Entry& field : entry.fields()) {
    const std::string_view name = field.key.text();
    if (is_task_amount(name) && !has_amount(name, task.requests)) add_amount(field, task.requests);
  }
}

constexpr std::array plugins = {TaskPlugin::container, TaskPlugin::ray, TaskPlugin::spark,
                                TaskPlugin::dask, TaskPlugin::kubeflow};
constexpr std::string_view pod_target = "k8s_pod";

/// Why the value of `plugin` or `target` is invalid; empty if it is valid.
[[nodiscard]] std::string choice_problem(std::string_view key, std::string_view value) {
  if (key == "target" && value != pod_target && value != "container" && !value.empty()) {
    return fmt::format("unknown target `{}`; it must be container or {}", value, pod_target);
  }
  if (key != "plugin" || value.empty()) return {};
  std::vector<std::string_view> names;
  for (const TaskPlugin plugin : plugins) names.push_back(to_string(plugin));
  if (std::ranges::find(names, value) != names.end()) return {};
  return fmt::format("unknown plugin `{}`; it must be one of {}", value, fmt::join(names, ", "));
}

void set_plugin(std::string_view text, Task& task) {
  if (auto problem = choice_problem("plugin", text); !problem.empty()) {
    task.problem = std::move(problem);
  }
  for (const TaskPlugin plugin : plugins) {
    if (to_string(plugin) == text) task.plugin = plugin;
  }
}

void set_target(std::string_view text, Task& task) {
  if (auto problem = choice_problem("target", text); !problem.empty()) {
    task.problem = std::move(problem);
  }
  if (text == pod_target) task.target = TaskTarget::k8s_pod;
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

/// Sets the place of everything in a `--task` text to the text's place.
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

/// One `key=value` or bare word of a `--task` text.
struct Option {
  std::string_view key;
  std::string_view value;  ///< Empty for a bare word.
};

[[nodiscard]] std::vector<Option> split_options(std::string_view text) {
  std::vector<Option> options;
  while (!text.empty()) {
    const std::string_view option = take_part(text, ',');
    const std::size_t equals = option.find('=');
    const bool has_value = equals != std::string_view::npos;
    if (option.empty()) continue;
    options.push_back(
        {option.substr(0, equals), has_value ? option.substr(equals + 1) : std::string_view{}});
  }
  return options;
}

/// Whether the task has its own pod template, which may name any resource.
[[nodiscard]] bool brings_pod(const std::vector<Option>& options) {
  return std::ranges::any_of(options, [](const Option& option) {
    return option.key == "target" && option.value == pod_target;
  });
}

/// Why a key of a `--task` text is invalid; empty if it is valid.
[[nodiscard]] std::string key_problem(std::string_view key, TaskTarget target) {
  std::string_view name = key;
  for (const std::string_view prefix : {"requests.", "limits."}) {
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  }
  const bool is_option =
      name.size() == key.size() &&
      (key == "target" || std::ranges::find(task_options, key) != task_options.end());
  const bool is_amount = target == TaskTarget::k8s_pod ? is_pod_amount(name) : is_task_amount(name);
  if (is_option || is_amount) return {};
  std::vector<std::string_view> known(task_options.begin(), task_options.end());
  known.insert(known.end(), task_amounts.begin(), task_amounts.end());
  const auto amount = meant_task_amount(name);
  const auto meant = amount ? amount : nearest(name, known);
  if (meant) return fmt::format("unknown key `{}`; did you mean `{}`?", key, *meant);
  if (name.find('/') != std::string_view::npos) {
    return fmt::format("unknown key `{}`; {}", key, task_amount_help(name));
  }
  return fmt::format("unknown key `{}`; known keys are {}", key, fmt::join(known, ", "));
}

/// Why an option is invalid, independent of Flyte; empty if it is valid.
[[nodiscard]] std::string option_problem(const Option& option, TaskTarget target) {
  if (auto problem = key_problem(option.key, target); !problem.empty()) return problem;
  static constexpr std::array<std::string_view, 2> switches = {"unpartitioned", "interruptible"};
  const bool is_switch = std::ranges::find(switches, option.key) != switches.end();
  if (option.value.empty() && !is_switch) return fmt::format("`{}` needs a value", option.key);
  return choice_problem(option.key, option.value);
}

void apply_option(const Option& option, FlyteVersion version, Task& task) {
  const auto& [key, value] = option;
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
  task.name = word(entry.get("name"));
  task.requests = read_amounts(mapping_of(entry, "requests", task));
  task.limits = read_amounts(mapping_of(entry, "limits", task));
  read_loose_amounts(entry, task);
  task.accelerator = read_accelerator(entry.get("accelerator"), version, task);
  read_loose_parts(entry, task);
  task.interruptible = is_true(entry.get("interruptible"));
  set_target(word(entry.get("target")), task);
  set_plugin(word(entry.get("plugin")), task);
  const Node pod_spec = entry.get("podSpec");
  if (pod_spec.is_mapping()) {
    task.pod_spec = read_pod_spec(pod_spec);
    task.affinity = read_go_yaml(pod_spec.get("affinity")).value;
  }
  if (const Node name = entry.get("podTemplateName"); !word(name).empty()) {
    task.pod_template_name = {word(name), name};
  }
  if (task.target == TaskTarget::k8s_pod) {
    task.primary_container = word(entry.get(primary_container_key));
    if (task.primary_container.empty()) task.primary_container = "primary";
  }
  read_overrides(entry.get("overrides"), version, task);
  return task;
}

Task parse_task_spec(std::string_view text, FlyteVersion version) {
  Task task;
  const std::vector<Option> options = split_options(text);
  const TaskTarget target = brings_pod(options) ? TaskTarget::k8s_pod : TaskTarget::container;
  for (const Option& option : options) {
    if (auto problem = option_problem(option, target); !problem.empty()) {
      task.problem = std::move(problem);
    } else {
      apply_option(option, version, task);
    }
  }
  return task;
}

std::string find_task_spec_problem(std::string_view text) {
  const std::vector<Option> options = split_options(text);
  const TaskTarget target = brings_pod(options) ? TaskTarget::k8s_pod : TaskTarget::container;
  for (const Option& option : options) {
    if (auto problem = option_problem(option, target); !problem.empty()) return problem;
  }
  return {};
}

std::optional<std::vector<Node>> task_entries(Node root) {
  const Node list = root.is_mapping() ? root.get("tasks") : root;
  if (!list.is_sequence()) return std::nullopt;
  return list.items();
}

const TaskAccelerator* accelerator_of(const Task& task) {
  if (task.override_accelerator) return &*task.override_accelerator;
  return task.accelerator ? &*task.accelerator : nullptr;
}

TaskAccelerator* accelerator_of(Task& task) {
  return const_cast<TaskAccelerator*>(accelerator_of(std::as_const(task)));
}

}  // namespace gpulint::flyte
