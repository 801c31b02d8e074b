#include "rules/accelerator-table-lost/accelerator_tables.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/model/accelerator_catalog.h"

namespace gpulint::rules::accelerator_table_lost {
namespace {

struct DeclaredAccelerator {
  const flyte::Task* task = nullptr;
  const flyte::TaskAccelerator* accelerator = nullptr;
};

[[nodiscard]] std::vector<DeclaredAccelerator> declared(const flyte::Installation& installation) {
  std::vector<DeclaredAccelerator> result;
  for (const flyte::Task& task : installation.tasks) {
    if (task.assumed || !task.problem.empty() || !task.accelerator) continue;
    result.push_back({&task, &*task.accelerator});
  }
  return result;
}

void add_task(const DeclaredAccelerator& user, LostEntries& lost) {
  if (lost.tasks.empty()) lost.task_node = user.accelerator->node;
  lost.tasks.push_back(fmt::format("task `{}`", user.task->name));
}

/// A device without an entry is its own label value, so only entries that say otherwise count.
[[nodiscard]] bool says_more(const BackendDevice& device) {
  return device.reachable && !equal_fold(device.key, device.label_value);
}

}  // namespace

LostEntries find_lost_devices(const flyte::Installation& installation,
                              const flyte::ConfigValue& table) {
  LostEntries lost;
  const std::vector<DeclaredAccelerator> users = declared(installation);
  lost.are_tasks_known = !users.empty();
  for (const BackendDevice& device : flyte2_backend_devices()) {
    if (!says_more(device) || table.find(device.key) != nullptr) continue;
    const auto uses = [&](const DeclaredAccelerator& user) {
      return to_upper(user.accelerator->device.value) == device.key;
    };
    const auto user = std::ranges::find_if(users, uses);
    if (users.empty()) lost.names.emplace_back(device.key);
    if (user == users.end()) continue;
    if (lost.names.empty()) {
      lost.consequence = fmt::format("its pods demand `{}` instead of `{}`",
                                     user->accelerator->device.value, device.label_value);
      lost.lines.push_back(fmt::format("{}: {}", device.key, device.label_value));
    }
    lost.names.emplace_back(device.key);
    add_task(*user, lost);
  }
  if (lost.names.size() > 1) lost.lines.clear();
  return lost;
}

LostEntries find_lost_classes(const flyte::Installation& installation,
                              const flyte::ConfigValue& table) {
  LostEntries lost;
  const std::vector<DeclaredAccelerator> users = declared(installation);
  lost.are_tasks_known = !users.empty();
  const flyte::ConfigValue defaults = flyte::k8s_plugin_defaults(FlyteVersion::v2);
  for (const flyte::ConfigEntry& entry : defaults.find("accelerator-device-classes")->entries) {
    // Without its class an NVIDIA GPU falls back to the general settings, which are the same.
    if (entry.key == "NVIDIA_GPU" || table.find(entry.key) != nullptr) continue;
    const auto uses = [&](const DeclaredAccelerator& user) {
      return user.accelerator->device_class == entry.key;
    };
    const auto user = std::ranges::find_if(users, uses);
    if (users.empty()) lost.names.push_back(entry.key);
    if (user == users.end()) continue;
    if (lost.names.empty()) {
      lost.consequence =
          fmt::format("its pods request no `{}`", entry.value.find("resource-name")->text);
    }
    lost.names.push_back(entry.key);
    add_task(*user, lost);
  }
  return lost;
}

}  // namespace gpulint::rules::accelerator_table_lost
