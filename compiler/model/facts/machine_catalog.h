#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace gpulint {

// Tables generated at build time from facts/instance-types.json: EC2 as documented by
// karpenter-provider-aws (all types at one date), GPU machines of GCE and Azure from the tools
// named there.

struct MachineAccelerator {
  std::string_view resource;  ///< The default resource name of the vendor's device plugin.
  std::uint8_t count = 0;
};

/// A machine type of a cloud.
struct Machine {
  std::string_view type;                             ///< In lower case.
  std::span<const MachineAccelerator> accelerators;  ///< Empty: it has none, unless `is_open`.
  bool is_open = false;          ///< It has accelerators, but their resource is unknown.
  std::uint16_t cpu = 0;         ///< Processors; 0: unknown, then all fields below are empty.
  std::uint32_t memory_mib = 0;  ///< Of the machine; pods can use less.
  std::string_view arch;         ///< `amd64`, `arm64`.
  /// Values of Karpenter's labels `instance-gpu-name` and so on; empty if it has none.
  std::string_view gpu_name;
  std::string_view gpu_manufacturer;
  std::string_view gpu_memory_mib;
  std::string_view gke_accelerator;  ///< GKE's name of its GPUs; empty for other clouds' types.
  std::string_view product;          ///< The GPUs of Azure's types: `A100 80GB`, `H100`.
  std::string_view accelerator_name;

  /// How many of the resource one machine has, before partitioning and sharing; nullopt: unknown.
  [[nodiscard]] std::optional<std::int64_t> count(std::string_view resource) const;
  /// The most of it that a pod can use: also processors (in thousandths) and memory. Devices of a
  /// vendor without accelerators in the machine are 0; other names of its accelerators are unknown.
  [[nodiscard]] std::optional<std::int64_t> most(std::string_view resource) const;
};

/// The type with this name (Azure's in any letter case); null: unknown, which proves nothing.
[[nodiscard]] const Machine* find_machine(std::string_view type);
/// All types, by name.
[[nodiscard]] std::span<const Machine> all_machines();
/// Every known type of an EC2 family: `p4d` has `p4d.24xlarge`.
[[nodiscard]] std::vector<const Machine*> machines_of_family(std::string_view family);

}  // namespace gpulint
