#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace gpulint {

// Keys of zero-to-jupyterhub's values and of KubeSpawner (facts/notebook-keys.json).

/// A common name of a pod field, and its correct name in this place.
struct NotebookName {
  enum class Place : std::uint8_t { singleuser, kubespawner_override, profile };
  Place place;
  std::string_view written;
  std::string_view meant;
};

[[nodiscard]] std::span<const NotebookName> notebook_names();

/// All keys of `singleuser`.
[[nodiscard]] std::span<const std::string_view> notebook_keys();

/// Traits of KubeSpawner that decide where a pod may run and what it receives.
[[nodiscard]] std::span<const std::string_view> spawner_traits();

}  // namespace gpulint
