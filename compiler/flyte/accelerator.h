#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "compiler/flyte/flyte_config.h"
#include "compiler/flyte/pod_draft.h"
#include "compiler/flyte/task.h"

namespace gpulint::flyte {

/// What a device that nobody offers was probably meant to be, as `--task` and gpulint.yaml take it:
/// `A100` for `A101`, `A100.partition_1g_5gb` for `a100-1g.5gb`. Empty where the name is known, or
/// like none that is: a cluster may call its devices what it likes.
[[nodiscard]] std::string suggest_accelerator(std::string_view device);

/// The settings that hold for one accelerator: in Flyte 2 those of its class where it has any.
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
  const AcceleratorClass* device_class = nullptr;  ///< Null where none is configured.
};

/// `accelerator` may be null: a task without one.
[[nodiscard]] AcceleratorSettings accelerator_settings(const FlyteConfig& config,
                                                       const TaskAccelerator* accelerator);

/// What a node's device label must say for the accelerator: Flyte 2 translates the device.
[[nodiscard]] Field<std::string> device_label_value(const FlyteConfig& config,
                                                    const TaskAccelerator& accelerator);

/// The resources that Flyte takes for accelerators: `gpu-resource-name`, and in Flyte 2 those of
/// all classes.
[[nodiscard]] std::set<std::string> accelerator_resource_names(const FlyteConfig& config);

/// Builds the pod upon the pod template of the accelerator's class (Flyte 2), if there is one.
void merge_class_template(const FlyteConfig& config, const AcceleratorSettings& settings,
                          PodDraft& draft);

/// Adds what Flyte adds for an accelerator to the pod that is otherwise complete: device and
/// partition tolerations and requirements, in Flyte 2 also labels.
void apply_accelerator(const FlyteConfig& config, const AcceleratorSettings& settings,
                       const TaskAccelerator& accelerator, PodDraft& draft);

}  // namespace gpulint::flyte
