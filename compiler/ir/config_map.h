#pragma once

#include <cstdint>
#include <string_view>

#include "compiler/ir/document.h"
#include "compiler/ir/node.h"

namespace gpulint {

/// What reads a ConfigMap or Secret, as its name and labels tell it.
enum class ConfigMapUse : std::uint8_t {
  unknown,
  /// NVIDIA's device plugin: `nvidia-device-plugin-configs` of its chart (also by label),
  /// `device-plugin-config` and `time-slicing-config` of NVIDIA's and OpenShift's documentation.
  device_plugin,
  /// MIG manager: `default-mig-parted-config` of GPU operator, `mig-parted-config`,
  /// `custom-mig-config` of its documentation.
  mig_manager,
  /// Flyte: `flyte-propeller-config`, `flyte-binary-config` and others of its charts, or by label.
  flyte
};

/// The use of an object; unknown where it is of another kind or its name is open.
[[nodiscard]] ConfigMapUse use_of_config_map(Node object);

/// Whether `key` of such an object is a file that its reader takes for configuration: not a script,
/// a table or another program's file beside it.
[[nodiscard]] bool is_configuration_of(ConfigMapUse use, std::string_view key);

/// The use of the ConfigMap or Secret in whose data the document is a configuration; unknown for
/// documents that stand for themselves, in annotations or anywhere else.
[[nodiscard]] ConfigMapUse use_of_host(const Document& document);

}  // namespace gpulint
