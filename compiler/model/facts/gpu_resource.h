#pragma once

// model/facts: JSON with sources → constant tables, and the lookups in them. Every fact names its
// source. It does not read documents.

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

/// An extended resource of a GPU or another accelerator that is in the facts.
struct KnownResource {
  std::string_view name;  ///< `<…>` is the variable part: `nvidia.com/mig-<profile>`.
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

/// What a resource name requests.
struct GpuResource {
  enum class Kind : std::uint8_t {
    none,         ///< Not an accelerator: cpu, memory, an unrelated device.
    device,       ///< Whole accelerators, virtual or shared ones: a countable device.
    attribute,    ///< Memory, cores, percentages that only qualify a device: `nvidia.com/gpumem`.
    auxiliary,    ///< Used with accelerators, but not one: network interfaces, monitoring.
    mig,          ///< `nvidia.com/mig-<profile>` with a profile that some GPU has.
    unknown_mig,  ///< The same form with a profile that no GPU has.
    removed,      ///< `alpha.kubernetes.io/nvidia-gpu` and its spellings.
    near_miss,    ///< Not a known name, but close to one: see `suggestion`.
    gpu_like      ///< Contains `gpu` but is not in the facts: another vendor's or a renamed
                  ///< resource.
  };
  Kind kind = Kind::none;
  bool shared = false;                   ///< Ends in `.shared`: a replica of a shared device.
  const KnownResource* known = nullptr;  ///< The row of the facts; null if there is none.
  std::string profile{};                 ///< For mig: `1g.5gb+me`.
  std::string suggestion{};              ///< The full resource name that is probably meant; may
                                         ///< be empty.
};

[[nodiscard]] GpuResource classify_resource(std::string_view name);

/// Whether a pod with this request requests a GPU or a comparable accelerator (TPU, Neuron, Gaudi
/// …), including misspelt names.
[[nodiscard]] bool is_gpu_resource(std::string_view name);

/// Whether the name counts NVIDIA devices: GPUs, shared ones, MIG devices.
[[nodiscard]] bool is_nvidia_device(std::string_view name);

}  // namespace gpulint
