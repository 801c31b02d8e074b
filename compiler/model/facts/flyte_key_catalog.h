#pragma once

#include <span>
#include <string_view>

namespace gpulint {

/// A key of Flyte's `plugins.k8s`, nested ones with their path: `co-pilot.cpu`,
/// `accelerator-device-classes.<CLASS>.resource-name`.
struct FlytePluginKey {
  std::string_view key;
  std::string_view type;        ///< Go type: `[]v1.Toleration`, `map[string]string`, `*bool` …
  std::string_view default_v1;  ///< As JSON text.
  std::string_view default_v2;
  bool in_v1 = false;
  bool in_v2 = false;
  bool deprecated_in_v1 = false;
  bool deprecated_in_v2 = false;
};

/// Every key of either version, sorted.
[[nodiscard]] std::span<const FlytePluginKey> flyte_plugin_keys();
/// The key with this spelling; null if there is none.
[[nodiscard]] const FlytePluginKey* find_flyte_plugin_key(std::string_view key);

}  // namespace gpulint
