#pragma once

#include <span>
#include <string_view>

namespace gpulint {

/// A label that Karpenter replaces by its successor.
struct NormalizedLabel {
  std::string_view from;
  std::string_view to;
};

/// A label of which Karpenter knows every value.
struct WellKnownValues {
  std::string_view label;
  std::span<const std::string_view> values;
};

/// What Karpenter's core and its AWS provider register, each list sorted.
[[nodiscard]] std::span<const std::string_view> karpenter_core_well_known_labels();
[[nodiscard]] std::span<const std::string_view> karpenter_aws_well_known_labels();
[[nodiscard]] std::span<const std::string_view> karpenter_core_restricted_domains();
[[nodiscard]] std::span<const std::string_view> karpenter_aws_restricted_domains();
[[nodiscard]] std::span<const std::string_view> karpenter_restricted_labels();
[[nodiscard]] std::span<const NormalizedLabel> karpenter_normalized_labels();
[[nodiscard]] std::span<const WellKnownValues> karpenter_well_known_values();

}  // namespace gpulint
