#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace gpulint::rules::unknown_chart_key {

// Keys that charts and custom resources of operators know, one mapping each.

/// GPU Operator: what stands at the top of its values and of ClusterPolicy's spec, and in each part
/// of these; empty of parts that are not known.
[[nodiscard]] std::span<const std::string_view> gpu_operator_parts();
[[nodiscard]] std::span<const std::string_view> gpu_operator_keys(std::string_view part);

/// The one of them that is written with one letter off, or in other case.
[[nodiscard]] std::optional<std::string_view> find_meant(std::string_view key,
                                                         std::span<const std::string_view> keys);

/// zero-to-jupyterhub: `singleuser`.
[[nodiscard]] std::span<const std::string_view> single_user_keys();

/// A key of a pod that has another name there.
struct OtherName {
  std::string_view written;
  std::string_view meant;
};
[[nodiscard]] std::span<const OtherName> single_user_names();
/// The same in `kubespawner_override`, where KubeSpawner's traits are set.
[[nodiscard]] std::span<const OtherName> override_names();

}  // namespace gpulint::rules::unknown_chart_key
