#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/flyte/config_value.h"
#include "compiler/flyte/decode.h"
#include "compiler/flyte/read_config.h"
#include "compiler/flyte/viper.h"
#include "compiler/ir/field.h"
#include "compiler/model/quantity.h"
#include "compiler/model/settings.h"
#include "compiler/model/workload.h"

namespace gpulint::flyte {

/// An entry of `resource-tolerations`.
struct ResourceTolerations {
  Value<std::string> resource;
  std::vector<Toleration> tolerations;
};

/// An entry of `accelerator-device-classes` (Flyte 2). General settings apply to empty fields.
struct AcceleratorClass {
  Value<std::string> name;  ///< As written; Flyte compares it in upper case.
  Field<std::string> resource_name;
  Field<std::string> device_node_label;
  Field<std::string> partition_size_node_label;
  std::optional<SelectorRequirement> unpartitioned_requirement;
  std::optional<Toleration> unpartitioned_toleration;
  ConfigValue pod_template;  ///< Null if absent.
};

/// Flyte's `plugins.k8s`: the settings that decide where pods may run. Each field has the node of
/// its config line; Flyte's own defaults have none.
struct K8sPluginConfig {
  Field<std::string> gpu_resource_name;
  Field<std::string> gpu_device_node_label;
  Field<std::string> gpu_partition_size_node_label;
  std::optional<SelectorRequirement> gpu_unpartitioned_requirement;
  std::optional<Toleration> gpu_unpartitioned_toleration;
  std::vector<ResourceTolerations> resource_tolerations;
  std::vector<Toleration> default_tolerations;
  std::vector<Toleration> interruptible_tolerations;
  std::vector<LabelEntry> default_node_selector;
  std::vector<LabelEntry> interruptible_node_selector;
  std::optional<SelectorRequirement> interruptible_requirement;
  std::optional<SelectorRequirement> non_interruptible_requirement;
  std::optional<NodeAffinity> default_affinity;
  std::vector<Field<std::string>> extended_resources;  ///< add-tolerations-for-extended-resources.
  Field<std::string> scheduler_name;
  Field<Quantity> default_cpus;
  Field<Quantity> default_memory;
  std::vector<LabelEntry> accelerator_devices;        ///< Flyte 2.
  std::vector<AcceleratorClass> accelerator_classes;  ///< Flyte 2.

  /// Every field of the section as Flyte holds it after loading, with defaults.
  ConfigValue tree;
};

/// A null that deletes an earlier layer's value.
struct Deletion {
  std::string key;  ///< Dotted: `plugins.k8s.gpu-device-node-label`.
  Node null;
};

struct BasePodTemplates;

/// The configuration of one Flyte process after loading its files.
struct FlyteConfig {
  FlyteVersion version = FlyteVersion::v1;
  K8sPluginConfig k8s;
  ConfigValue task_resources;  ///< flyteadmin's section with defaults; null in Flyte 2.
  ConfigValue settings;        ///< The tree of keys that the sections received.
  std::vector<UnknownKey> unknown_keys;
  std::vector<LostValue> lost;
  std::vector<ConfigProblem> problems;  ///< If not empty, the process does not start.
  /// Nulls in a later layer of values that delete keys of `plugins.k8s` in an earlier one.
  std::vector<Deletion> deletions;
  /// The PodTemplates in the cluster, as far as they are among the inputs (base_pod_template.h);
  /// null if there are none.
  std::shared_ptr<const BasePodTemplates> pod_templates;

  /// The node that sets a dotted key (`plugins.k8s.gpu-resource-name`), in any letter case; null if
  /// it is not set.
  [[nodiscard]] Node find_setting(std::string_view dotted_key) const;
  /// The node that decides the key's value: the node that sets it, or the null that deletes it.
  [[nodiscard]] Node find_decisive(std::string_view dotted_key) const;
};

/// Loads files in the order given. `version` must be known.
[[nodiscard]] FlyteConfig load_flyte_config(std::span<const ConfigFile> files,
                                            FlyteVersion version);

/// The sections that a process of Flyte registers at the root and under `plugins`, in lower case.
[[nodiscard]] std::span<const std::string_view> root_section_names();
[[nodiscard]] std::span<const std::string_view> plugin_section_names();

/// Flyte's own defaults for `plugins.k8s` and `task_resources`.
[[nodiscard]] ConfigValue k8s_plugin_defaults(FlyteVersion version);

/// `plugins.k8s` from its decoded tree.
[[nodiscard]] K8sPluginConfig make_k8s_plugin_config(ConfigValue tree);

// Decoded structs of the Kubernetes API as types of the model.
[[nodiscard]] Field<std::string> to_text_field(const ConfigValue* value, Node where = {});
[[nodiscard]] Toleration to_toleration(const ConfigValue& value);
[[nodiscard]] std::vector<Toleration> to_tolerations(const ConfigValue* list);
[[nodiscard]] SelectorRequirement to_requirement(const ConfigValue& value);
[[nodiscard]] NodeAffinity to_node_affinity(const ConfigValue& affinity);
[[nodiscard]] std::vector<LabelEntry> to_labels(const ConfigValue* map);

}  // namespace gpulint::flyte
