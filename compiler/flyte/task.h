#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/flyte/config_value.h"
#include "compiler/ir/field.h"
#include "compiler/ir/node.h"
#include "compiler/model/settings.h"
#include "compiler/model/workload.h"

namespace gpulint::flyte {

/// An amount that a task requests. The text is checked when the task is compiled.
struct TaskResource {
  Value<std::string> name;    ///< `gpu`, `cpu`, `memory`, `ephemeral-storage`, or literal.
  Field<std::string> amount;  ///< Opaque for a placeholder.
};

/// The accelerator that a task requests (flyteidl GPUAccelerator).
struct TaskAccelerator {
  Node node;
  Value<std::string> device;
  std::optional<Value<std::string>> partition_size;  ///< One of this …
  std::optional<bool> unpartitioned;                 ///< … and this.
  std::string device_class = "NVIDIA_GPU";           ///< Flyte 2.
};

enum class TaskTarget : std::uint8_t { container, k8s_pod };
enum class TaskPlugin : std::uint8_t { container, ray, spark, dask, kubeflow };
[[nodiscard]] std::string_view to_string(TaskPlugin plugin);

/// A task as its author declares it.
struct Task {
  std::string name;
  Node node;
  std::vector<TaskResource> requests;
  std::vector<TaskResource> limits;
  std::optional<TaskAccelerator> accelerator;
  bool interruptible = false;
  TaskTarget target = TaskTarget::container;
  TaskPlugin plugin = TaskPlugin::container;
  PodSpec pod_spec;      ///< The pod template of the task itself, for k8s_pod tasks.
  ConfigValue affinity;  ///< The pod template's whole affinity; null if absent.
  Value<std::string> pod_template_name;  ///< The object that its pod is merged onto; may be empty.
  std::string primary_container;         ///< For k8s_pod tasks; else Flyte makes up the name.
  std::optional<std::vector<TaskResource>> override_requests;  ///< `with_overrides` (Flyte 1).
  std::optional<std::vector<TaskResource>> override_limits;
  std::optional<TaskAccelerator> override_accelerator;
  bool assumed = false;  ///< The user did not declare it.
  std::string problem;   ///< Why the declaration cannot be read; empty if it can.
};

/// The accelerator that applies: the override's, if there is one; null if there is none.
[[nodiscard]] const TaskAccelerator* accelerator_of(const Task& task);
[[nodiscard]] TaskAccelerator* accelerator_of(Task& task);

/// The key of the primary container's name in entries that are not from YAML.
inline constexpr std::string_view primary_container_key = "<primary>";

/// A task entry of gpulint.yaml, `--tasks` or a JSON list; a scalar is a `--task` text. Amounts and
/// the accelerator's parts may be next to the other keys, as in a `--task` text.
[[nodiscard]] Task read_task(Node entry, FlyteVersion version);

/// A `--task` text: `name=train,gpu=1,accelerator=A100.partition_2g_10gb,interruptible`. Amounts
/// are requests; `limits.gpu=1` sets a limit; `partition=…`, `device=…`, `deviceClass=…`,
/// `unpartitioned`, `plugin=…` and `target=…` as in YAML.
[[nodiscard]] Task parse_task_spec(std::string_view text, FlyteVersion version);

/// Why a `--task` text is invalid, independent of Flyte: an unknown key, an unknown plugin, a
/// missing value. Empty if it is valid.
[[nodiscard]] std::string find_task_spec_problem(std::string_view text);

/// The entries of a tasks file: a list, or a mapping with the list `tasks`; nullopt for anything
/// else.
[[nodiscard]] std::optional<std::vector<Node>> task_entries(Node root);

/// The accelerator that an SDK's name means.
struct AcceleratorSpec {
  std::string device;
  std::optional<std::string> partition_size;
  std::optional<bool> unpartitioned;
  std::string device_class = "NVIDIA_GPU";
  std::optional<std::string> count;  ///< The `2` of Flyte 2's `A100 80G:2`.
  std::string problem;  ///< Why the SDK has no such accelerator; empty if it may have it.
};

/// `A100.partition_2g_10gb`, `A100_80GB`, `V5E.slice_2x2`, Flyte 2's `A100 80G:2`; any other text
/// is a device string.
[[nodiscard]] AcceleratorSpec parse_accelerator(std::string_view text, FlyteVersion version);

}  // namespace gpulint::flyte
