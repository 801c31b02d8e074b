#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "compiler/model/facts/support.h"

namespace gpulint {

// Tables generated at build time from facts/*.json; everything is in static storage.

/// One MIG profile of one GPU model.
struct MigGpuProfile {
  std::string_view name;  ///< As NVIDIA writes it: `1g.5gb+me`.
  std::uint8_t compute_slices = 0;
  std::uint8_t memory_slices = 0;  ///< 0: not known.
  std::uint8_t max_instances = 0;
  /// Memory slices at which an instance may begin; empty: not known.
  std::span<const std::uint8_t> placement_starts;
  std::uint8_t placement_size = 0;
};

/// A GPU model that can be partitioned.
struct MigGpu {
  std::string_view name;         ///< `A100-40GB`; the key of this table.
  std::string_view description;  ///< With the boards that share it: `H200-141GB / H200 NVL`.
  std::string_view architecture;
  std::uint16_t memory_gb = 0;                   ///< 0: not known.
  std::span<const std::string_view> device_ids;  ///< PCI identifiers, `0x20B010DE`.
  std::span<const std::string_view> families;    ///< Model names in upper case: `A100`, `A800`.
  std::span<const std::string_view> nvml_names;  ///< Product names as the driver says them.
  std::uint8_t compute_slices = 0;
  std::uint8_t memory_slices = 0;  ///< 0: placements are not known.
  std::uint8_t max_instances = 0;
  std::span<const MigGpuProfile> profiles;
  /// Names of other sources for profiles of this GPU; never reported as wrong.
  std::span<const std::string_view> alternative_profiles;
};

/// A partition size of a GKE node pool, and how many instances it makes of each GPU.
struct GkePartition {
  std::string_view profile;
  std::uint8_t max_count = 0;
};

[[nodiscard]] std::span<const MigGpu> mig_gpus();
[[nodiscard]] std::span<const GkePartition> gke_partitions();

/// The GPU with exactly this name; null if there is none.
[[nodiscard]] const MigGpu* find_mig_gpu(std::string_view name);
/// The profile of this GPU, without alternative names; null if it has none with this name.
[[nodiscard]] const MigGpuProfile* find_profile(const MigGpu& gpu, std::string_view profile);
/// Whether the GPU has the profile under any name of any source.
[[nodiscard]] bool has_profile(const MigGpu& gpu, std::string_view profile);
/// Whether any GPU has it.
[[nodiscard]] bool is_known_profile(std::string_view profile);
/// GPUs that have the profile under any name.
[[nodiscard]] std::vector<const MigGpu*> gpus_with_profile(std::string_view profile);
/// The GPUs with a PCI identifier (`0x20B010DE`, any letter case); empty: unknown.
[[nodiscard]] std::vector<const MigGpu*> gpus_with_device_id(std::string_view device_id);

/// The partitionable GPUs that a product text can mean: `A100-SXM4-40GB`, `NVIDIA-H200`,
/// `nvidia-h100-80gb`, `A100-40GB`. Several if it does not show the memory; empty: none known.
[[nodiscard]] std::vector<const MigGpu*> mig_gpus_of_product(std::string_view product);

/// Whether GPUs with this device value can be partitioned.
[[nodiscard]] Support mig_support(std::string_view value);

}  // namespace gpulint
