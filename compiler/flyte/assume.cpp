#include "compiler/flyte/assume.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/flyte/python_entry.h"
#include "compiler/flyte/python_tasks.h"
#include "compiler/model/facts/accelerator_catalog.h"

namespace gpulint::flyte {
namespace {

/// A device and one of its partition sizes; empty for the whole device.
using Choice = std::pair<std::string, std::string>;

/// The longest valid name of a container, with space for a number.
constexpr std::size_t max_name_size = 60;

[[nodiscard]] std::vector<std::string> values_of(const NodePool& pool,
                                                 const Field<std::string>& label) {
  if (!label.is_known() || label.value().empty()) return {};
  for (const PoolLabel& known : pool.labels) {
    const bool is_given = known.known == PoolLabel::Known::exact ||
                          known.known == PoolLabel::Known::one_of ||
                          known.known == PoolLabel::Known::provider;
    if (known.key == label.value() && is_given) return known.values;
  }
  return {};
}

[[nodiscard]] std::set<Choice> choices_of_nodes(const Cluster& cluster, const FlyteConfig& config) {
  std::set<Choice> choices;
  for (const NodePool& pool : cluster.pools) {
    for (const std::string& device : values_of(pool, config.k8s.gpu_device_node_label)) {
      choices.emplace(device, "");
      for (const auto& size : values_of(pool, config.k8s.gpu_partition_size_node_label)) {
        choices.emplace(device, size);
      }
    }
  }
  return choices;
}

/// The devices of GKE that flytekit knows. Elsewhere users choose the labels' values.
[[nodiscard]] std::set<Choice> choices_of_provider(Provider provider) {
  std::set<Choice> choices;
  if (provider != Provider::gke) return choices;
  for (const FlyteAccelerator& accelerator : flytekit_accelerators()) {
    if (accelerator.device_class != "NVIDIA_GPU") continue;
    bool is_offered = false;
    for (const DeviceName& name : device_names()) {
      is_offered = is_offered ||
                   (name.vocabulary == DeviceVocabulary::gke && name.value == accelerator.device);
    }
    if (!is_offered) continue;
    choices.emplace(accelerator.device, "");
    for (const auto size : accelerator.partitions) choices.emplace(accelerator.device, size);
  }
  return choices;
}

/// The text as a part of a name that Kubernetes accepts (RFC 1123 label): `NVIDIA-A100 80GB`
/// becomes `nvidia-a100-80gb`.
[[nodiscard]] std::string as_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const bool is_allowed = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
    if (is_allowed) {
      name += lower;
    } else if (!name.ends_with('-')) {
      name += '-';
    }
  }
  return name;
}

[[nodiscard]] std::string name_of(const Choice& choice) {
  const auto& [device, size] = choice;
  std::string name = as_name(size.empty() ? fmt::format("assumed-{}", device)
                                          : fmt::format("assumed-{}-{}", device, size));
  name.resize(std::min(name.size(), max_name_size));
  while (name.ends_with('-')) name.pop_back();
  return name;
}

[[nodiscard]] Task assumed_task(const Choice& choice, FlyteVersion version) {
  const auto& [device, size] = choice;
  Task task = parse_task_spec("gpu=1", version);
  task.assumed = true;
  task.name = name_of(choice);
  TaskAccelerator& accelerator = task.accelerator.emplace();
  accelerator.device.value = device;
  if (!size.empty()) accelerator.partition_size = Value<std::string>{size, {}};
  return task;
}

}  // namespace

bool has_python_tasks(const Settings& settings) { return !settings.sdk_remarks.empty(); }

std::vector<Task> assumed_tasks(const Cluster& cluster, const FlyteConfig& config) {
  std::vector<Task> tasks{parse_task_spec("name=assumed-gpu,gpu=1", config.version)};
  tasks.front().assumed = true;
  const std::set<Choice> choices = cluster.pools.empty() ? choices_of_provider(cluster.provider)
                                                         : choices_of_nodes(cluster, config);
  std::map<std::string, std::size_t> times;
  for (const Choice& choice : choices) {
    Task& task = tasks.emplace_back(assumed_task(choice, config.version));
    const std::size_t before = times[task.name]++;
    if (before > 0) task.name += fmt::format("-{}", before + 1);
  }
  return tasks;
}

std::vector<Task> declared_tasks(const Settings& settings, FlyteVersion version) {
  std::vector<Task> tasks;
  for (const Node entry : settings.tasks) {
    const FlyteVersion own = version_of_entry(entry);
    const bool is_of_other = own != FlyteVersion::unknown && version != FlyteVersion::unknown;
    if (!is_of_other || own == version) tasks.push_back(read_task(entry, version));
  }
  for (const std::string& spec : settings.task_specs) {
    tasks.push_back(parse_task_spec(spec, version));
  }
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].name.empty()) tasks[i].name = fmt::format("task-{}", i + 1);
  }
  return tasks;
}

}  // namespace gpulint::flyte
