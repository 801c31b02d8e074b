#pragma once

// model/facts: JSON with sources → constant tables, and the lookups over them. Every fact names
// where it comes from. It does not read documents.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gpulint {

enum class ResourceStatus : std::uint8_t {
  current,
  legacy,
  deprecated,
  removed,
  overloaded,
  does_not_exist,
  legacy_label
};

/// An extended resource of a GPU or another accelerator that the facts know.
struct KnownResource {
  std::string_view name;  ///< `<…>` stands for what varies: `nvidia.com/mig-<profile>`.
  std::string_view vendor;
  std::string_view unit;
  ResourceStatus status = ResourceStatus::current;
  std::string_view replacement;  ///< Empty: none.
};
[[nodiscard]] std::span<const KnownResource> known_resources();

/// How many devices a program sees on one chip (`google.com/tpu: 1`) of a TPU generation.
struct TpuDevices {
  std::string_view accelerator;  ///< Value of the label `cloud.google.com/gke-tpu-accelerator`.
  int per_chip = 1;
};
[[nodiscard]] std::span<const TpuDevices> tpu_devices();

/// What a resource name asks for.
struct GpuResource {
  enum class Kind : std::uint8_t {
    none,         ///< No accelerator: cpu, memory, an unrelated device.
    device,       ///< Whole accelerators, virtual or shared ones: a countable device.
    attribute,    ///< Memory, cores, percentages that only qualify a device: `nvidia.com/gpumem`.
    auxiliary,    ///< Goes with accelerators but is none: network interfaces, monitoring.
    mig,          ///< `nvidia.com/mig-<profile>` with a profile that some GPU has.
    unknown_mig,  ///< The same form with a profile that no GPU has.
    removed,      ///< `alpha.kubernetes.io/nvidia-gpu` and its spellings.
    near_miss,    ///< Not a name that anybody offers, but close to one: see `suggestion`.
    gpu_like      ///< Says `gpu` but is not in the facts: some other vendor's or renamed resource.
  };
  Kind kind = Kind::none;
  bool shared = false;                   ///< Ends in `.shared`: a replica of a shared device.
  const KnownResource* known = nullptr;  ///< The row of the facts; null where there is none.
  std::string profile{};                 ///< Of mig: `1g.5gb+me`.
  std::string suggestion{};                ///< Full resource name that was meant; may be empty.
};

[[nodiscard]] GpuResource classify_resource(std::string_view name);

/// Whether a pod that asks for it wants a GPU or a comparable accelerator (TPU, Neuron, Gaudi …),
/// misspelt names included.
[[nodiscard]] bool is_gpu_resource(std::string_view name);

/// Whether the name counts devices of NVIDIA's: GPUs, shared ones, MIG devices.
[[nodiscard]] bool is_nvidia_device(std::string_view name);

}  // namespace gpulint
