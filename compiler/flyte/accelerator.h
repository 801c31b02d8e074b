#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "compiler/flyte/flyte_config.h"
#include "compiler/flyte/pod_draft.h"
#include "compiler/flyte/task.h"

namespace gpulint::flyte {

/// The device that an unknown name probably means, in the syntax of `--task` and gpulint.yaml:
/// `A100` for `A101`, `A100.partition_1g_5gb` for `a100-1g.5gb`. Empty if the name is known or
/// similar to no known one: a cluster may use any name.
[[nodiscard]] std::string suggest_accelerator(std::string_view device);

/// The settings that apply to one accelerator: in Flyte 2 those of its class, if it has any.
struct AcceleratorSettings {
  Field<std::string> resource_name;
  std::string resource_name_key;
  Field<std::string> device_label;
  std::string device_label_key;
  Field<std::string> partition_label;
  std::string partition_label_key;
  std::optional<SelectorRequirement> unpartitioned_requirement;
  std::string unpartitioned_requirement_key;
  std::optional<Toleration> unpartitioned_toleration;
  std::string unpartitioned_toleration_key;
  const AcceleratorClass* device_class = nullptr;  ///< Null if none is configured.
};

/// `accelerator` may be null: a task without one.
[[nodiscard]] AcceleratorSettings accelerator_settings(const FlyteConfig& config,
                                                       const TaskAccelerator* accelerator);

/// The required value of a node's device label: Flyte 2 translates the device.
[[nodiscard]] Field<std::string> device_label_value(const FlyteConfig& config,
                                                    const TaskAccelerator& accelerator);

/// The resources that Flyte uses for accelerators: `gpu-resource-name`, and in Flyte 2 those of all
/// classes.
[[nodiscard]] std::set<std::string> accelerator_resource_names(const FlyteConfig& config);

/// Merges the pod onto the pod template of the accelerator's class (Flyte 2), if there is one.
void merge_class_template(const FlyteConfig& config, const AcceleratorSettings& settings,
                          PodDraft& draft);

/// Adds what Flyte adds for an accelerator to an otherwise complete pod: device and partition
/// tolerations and requirements, in Flyte 2 also labels.
void apply_accelerator(const FlyteConfig& config, const AcceleratorSettings& settings,
                       const TaskAccelerator& accelerator, PodDraft& draft);

}  // namespace gpulint::flyte
