#pragma once

#include <array>
#include <string_view>

namespace gpulint::rules::image_without_gpu_driver {

/// Keys under which tools hand on `amiType` of EKS' node groups, and their instance types beside:
/// CloudFormation, ACK, Crossplane, Cluster API, Pulumi, Terraform.
struct Spelling {
  std::string_view image;
  std::array<std::string_view, 2> machines;
};
inline constexpr auto spellings = std::to_array<Spelling>({
    {"AmiType", {"InstanceTypes", ""}},
    {"amiType", {"instanceTypes", "instanceType"}},
    {"ami_type", {"instance_types", ""}},
});

/// What boots with it has this driver and no other. EKS API Reference, CreateNodegroup, `amiType`;
/// EKS user guide, EKS-optimized accelerated AMIs: Bottlerocket without a suffix has Neuron's.
struct Image {
  std::string_view type;
  bool has_neuron;
  std::string_view nvidia;  ///< The one to take for NVIDIA's GPUs, and for Neuron; empty: none.
  std::string_view neuron;
};
inline constexpr auto images = std::to_array<Image>({
    {"AL2_x86_64", false, "AL2_x86_64_GPU", "AL2_x86_64_GPU"},
    {"AL2_ARM_64", false, "AL2023_ARM_64_NVIDIA", ""},
    {"AL2023_x86_64_STANDARD", false, "AL2023_x86_64_NVIDIA", "AL2023_x86_64_NEURON"},
    {"AL2023_ARM_64_STANDARD", false, "AL2023_ARM_64_NVIDIA", ""},
    {"BOTTLEROCKET_x86_64", true, "BOTTLEROCKET_x86_64_NVIDIA", ""},
    {"BOTTLEROCKET_x86_64_FIPS", true, "BOTTLEROCKET_x86_64_NVIDIA", ""},
    {"BOTTLEROCKET_ARM_64", true, "BOTTLEROCKET_ARM_64_NVIDIA", ""},
    {"BOTTLEROCKET_ARM_64_FIPS", true, "BOTTLEROCKET_ARM_64_NVIDIA", ""},
});

}  // namespace gpulint::rules::image_without_gpu_driver
