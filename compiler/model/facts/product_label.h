#pragma once

#include <string>
#include <string_view>

namespace gpulint {

/// The label of NVIDIA's GPU feature discovery with the product.
inline constexpr std::string_view product_label = "nvidia.com/gpu.product";

// Its values: NVIDIA's GPU feature discovery appends `-MIG-<profile>` with MIG strategy `single`,
// then `-SHARED` if replicas keep the name of the whole GPU (k8s-device-plugin 1b826acc,
// internal/lm/resource.go).

/// `NVIDIA-A100-SXM4-40GB` of `NVIDIA-A100-SXM4-40GB-MIG-1g.5gb-SHARED`.
[[nodiscard]] std::string_view whole_product(std::string_view product);
/// `1g.5gb` of it; empty without `-MIG-`, and for `INVALID`, which means several profiles.
[[nodiscard]] std::string_view profile_of_product(std::string_view product);
/// Whether it names partitions, with any profile.
[[nodiscard]] bool is_partition_product(std::string_view product);
/// The product name of a partition.
[[nodiscard]] std::string product_of_partition(std::string_view product, std::string_view profile);

}  // namespace gpulint
