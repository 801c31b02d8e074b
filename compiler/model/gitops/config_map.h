#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "compiler/ir/document.h"
#include "compiler/ir/node.h"

namespace gpulint {

/// The program that reads a ConfigMap or Secret, according to its name and labels.
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

/// The use of an object; unknown if it has another kind or its name is opaque.
[[nodiscard]] ConfigMapUse use_of_config_map(Node object);

/// Whether `key` of such an object is a file that the program reads as configuration: not a script,
/// a table or another program's file next to it.
[[nodiscard]] bool is_configuration_of(ConfigMapUse use, std::string_view key);

/// The use of the ConfigMap or Secret whose data contain the document; unknown for documents that
/// are not embedded, or are embedded in annotations or elsewhere.
[[nodiscard]] ConfigMapUse use_of_host(const Document& document);

/// A text under a key of one of an object's mappings.
struct DataEntry {
  Node object;
  std::string_view part;  ///< `data`, `stringData`.
  std::string_view key;
};

/// The entry of a ConfigMap's or Secret's data that a text is: where it is written, or where an
/// alias or merge key uses it, the first of several. nullopt if it is not an entry.
[[nodiscard]] std::optional<DataEntry> data_entry(Node text);

/// The place where a mapping is under one of the keys, directly or through an alias or merge key.
[[nodiscard]] Node used_under(Node mapping, std::initializer_list<std::string_view> keys);

/// Whether a text is an entry of a Secret's `data`, which is base64.
[[nodiscard]] bool is_encoded_entry(Node text);

/// Whether the document was decoded from such an entry: all its nodes have the place of the entry's
/// key.
[[nodiscard]] bool is_encoded(const Document& document);

}  // namespace gpulint
