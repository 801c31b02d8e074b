#pragma once

#include <span>
#include <string_view>

namespace gpulint {

/// A label that Karpenter replaces by its successor.
struct NormalizedLabel {
  std::string_view from;
  std::string_view to;
};

/// A label whose values Karpenter knows completely.
struct WellKnownValues {
  std::string_view label;
  std::span<const std::string_view> values;
};

/// The labels of Karpenter's core and of its AWS provider, each list sorted.
[[nodiscard]] std::span<const std::string_view> karpenter_core_well_known_labels();
[[nodiscard]] std::span<const std::string_view> karpenter_aws_well_known_labels();
[[nodiscard]] std::span<const std::string_view> karpenter_core_restricted_domains();
[[nodiscard]] std::span<const std::string_view> karpenter_aws_restricted_domains();
[[nodiscard]] std::span<const std::string_view> karpenter_restricted_labels();
[[nodiscard]] std::span<const NormalizedLabel> karpenter_normalized_labels();
[[nodiscard]] std::span<const WellKnownValues> karpenter_well_known_values();

}  // namespace gpulint
