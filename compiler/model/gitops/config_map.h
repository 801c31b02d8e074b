#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
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

/// A text that an object has under a key of one of its mappings.
struct DataEntry {
  Node object;
  std::string_view part;  ///< `data`, `stringData`.
  std::string_view key;
};

/// As what a text is data of a ConfigMap or Secret, whatever the kind: where it stands, or where an
/// alias or merge key has it, the first of several. Nothing where it is none.
[[nodiscard]] std::optional<DataEntry> data_entry(Node text);

/// Where a mapping stands under one of the keys, itself or by an alias or merge key.
[[nodiscard]] Node used_under(Node mapping, std::initializer_list<std::string_view> keys);

/// Whether a text is an entry of a Secret's `data`, which is base64.
[[nodiscard]] bool is_encoded_entry(Node text);

/// Whether the document was read out of such an entry: its nodes have no places of their own, all
/// stand at the entry's key.
[[nodiscard]] bool is_encoded(const Document& document);

}  // namespace gpulint
