#include "compiler/model/facts/karpenter_catalog.h"

namespace gpulint {
namespace {

#include "tables/karpenter_labels.inc"

}  // namespace

std::span<const std::string_view> karpenter_core_well_known_labels() {
  return core_well_known_table;
}
std::span<const std::string_view> karpenter_aws_well_known_labels() { return aws_well_known_table; }
std::span<const std::string_view> karpenter_core_restricted_domains() {
  return core_restricted_domains_table;
}
std::span<const std::string_view> karpenter_aws_restricted_domains() {
  return aws_restricted_domains_table;
}
std::span<const std::string_view> karpenter_restricted_labels() { return restricted_labels_table; }
std::span<const NormalizedLabel> karpenter_normalized_labels() { return normalized_labels_table; }
std::span<const WellKnownValues> karpenter_well_known_values() { return well_known_values_table; }

}  // namespace gpulint
