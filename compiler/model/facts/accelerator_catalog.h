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
  std::string_view label_value;   ///< The value in the backend's default table.
  std::string_view device_class;  ///< `NVIDIA_GPU`, `GOOGLE_TPU`, `AMAZON_NEURON` …
  std::span<const std::string_view> partitions;  ///< Sizes in the SDK; empty: none.
};

/// flytekit's constants (Flyte 1), sorted by constant.
[[nodiscard]] std::span<const FlyteAccelerator> flytekit_accelerators();
/// Devices of the Flyte 2 SDK, sorted by name.
[[nodiscard]] std::span<const FlyteAccelerator> flyte2_accelerators();
/// The accelerator with exactly this constant in one of the tables; null if there is none.
[[nodiscard]] const FlyteAccelerator* find_accelerator(
    std::span<const FlyteAccelerator> accelerators, std::string_view constant);

/// An entry of Flyte 2's built-in `accelerator-devices`.
struct BackendDevice {
  std::string_view key;
  std::string_view label_value;
  bool reachable = true;  ///< False: the key has lower-case letters, but look-ups use upper case.
};
[[nodiscard]] std::span<const BackendDevice> flyte2_backend_devices();

/// The components with their own device names: Flyte, GKE (`cloud.google.com/gke-accelerator`),
/// NVIDIA's GPU feature discovery (`nvidia.com/gpu.product`), Karpenter on AWS
/// (`…/instance-gpu-name`).
enum class DeviceVocabulary : std::uint8_t { flyte, gke, gfd, karpenter };

/// One name of one GPU product. Karpenter's `a100` means two products and is in the table twice.
struct DeviceName {
  DeviceVocabulary vocabulary = DeviceVocabulary::flyte;
  std::string_view value;
  std::string_view product;  ///< `A100-40GB`; equal for all names of one product.
  Support mig = Support::unknown;
  std::span<const std::string_view> partitions;  ///< Sizes that this component allows; empty:
                                                 ///< unknown.
  std::span<const std::string_view> families;    ///< EC2 instance families, for Karpenter.
};

/// Sorted by vocabulary, value and product.
[[nodiscard]] std::span<const DeviceName> device_names();
/// The products that a device value can mean, in any vocabulary; exact, with letter case.
[[nodiscard]] std::vector<const DeviceName*> find_device(std::string_view value);
/// The names of the same products in another vocabulary; empty if none is known.
[[nodiscard]] std::vector<std::string_view> device_values_in(DeviceVocabulary vocabulary,
                                                             std::string_view value);

/// Values of `cloud.google.com/gke-tpu-accelerator`.
[[nodiscard]] std::span<const std::string_view> tpu_device_values();

/// An accelerator of EC2 other than a GPU, with its instance families.
struct AcceleratorFamily {
  std::string_view name;
  std::string_view manufacturer;
  std::span<const std::string_view> families;
};
/// The GPUs of an EC2 instance type (`g5.xlarge`, `p4d.24xlarge`); empty: no GPU known.
[[nodiscard]] std::vector<const DeviceName*> gpus_of_instance_type(std::string_view instance_type);

}  // namespace gpulint
