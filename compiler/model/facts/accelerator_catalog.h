#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "compiler/model/facts/support.h"

namespace gpulint {

/// An accelerator that a Flyte SDK offers.
struct FlyteAccelerator {
  std::string_view constant;      ///< flytekit's constant or the Flyte 2 device name: `A100 80G`.
  std::string_view device;        ///< The device string that the SDK sends.
  std::string_view label_value;   ///< What the backend's default table makes of it.
  std::string_view device_class;  ///< `NVIDIA_GPU`, `GOOGLE_TPU`, `AMAZON_NEURON` …
  std::span<const std::string_view> partitions;  ///< Sizes that the SDK knows; empty: none.
};

/// flytekit's constants (Flyte 1), sorted by constant.
[[nodiscard]] std::span<const FlyteAccelerator> flytekit_accelerators();
/// Devices of the Flyte 2 SDK, sorted by name.
[[nodiscard]] std::span<const FlyteAccelerator> flyte2_accelerators();
/// Exact look-up of a constant in either table; null where there is none.
[[nodiscard]] const FlyteAccelerator* find_accelerator(
    std::span<const FlyteAccelerator> accelerators, std::string_view constant);

/// An entry of Flyte 2's built-in `accelerator-devices`.
struct BackendDevice {
  std::string_view key;
  std::string_view label_value;
  bool reachable = true;  ///< False: the key has lower-case letters, look-ups are upper-cased.
};
[[nodiscard]] std::span<const BackendDevice> flyte2_backend_devices();

/// Who names a device so: Flyte, GKE (`cloud.google.com/gke-accelerator`), NVIDIA's GPU feature
/// discovery (`nvidia.com/gpu.product`), Karpenter on AWS (`…/instance-gpu-name`).
enum class DeviceVocabulary : std::uint8_t { flyte, gke, gfd, karpenter };

/// One name of one GPU product. Karpenter's `a100` stands for two, hence twice in the table.
struct DeviceName {
  DeviceVocabulary vocabulary = DeviceVocabulary::flyte;
  std::string_view value;
  std::string_view product;  ///< `A100-40GB`; equal for all names of one product.
  Support mig = Support::unknown;
  std::span<const std::string_view> partitions;  ///< Sizes that the namer allows; empty: unsaid.
  std::span<const std::string_view> families;    ///< EC2 instance families, for Karpenter.
};

/// Sorted by vocabulary, value and product.
[[nodiscard]] std::span<const DeviceName> device_names();
/// The products that a device value can mean, in any vocabulary; exact, letter case counts.
[[nodiscard]] std::vector<const DeviceName*> find_device(std::string_view value);
/// What the same products are called in another vocabulary; empty: no such name known.
[[nodiscard]] std::vector<std::string_view> device_values_in(DeviceVocabulary vocabulary,
                                                             std::string_view value);

/// Values of `cloud.google.com/gke-tpu-accelerator`.
[[nodiscard]] std::span<const std::string_view> tpu_device_values();

/// An accelerator of EC2 that is no GPU, with its instance families.
struct AcceleratorFamily {
  std::string_view name;
  std::string_view manufacturer;
  std::span<const std::string_view> families;
};
/// The GPUs of an EC2 instance type (`g5.xlarge`, `p4d.24xlarge`); empty: no GPU known.
[[nodiscard]] std::vector<const DeviceName*> gpus_of_instance_type(std::string_view instance_type);

}  // namespace gpulint
