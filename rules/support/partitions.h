#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/engine/corpus.h"
#include "compiler/model/facts/gpu_catalog.h"

namespace gpulint::rules {

/// GKE's label of nodes whose GPUs it partitions.
inline constexpr std::string_view gke_partition_label = "cloud.google.com/gke-gpu-partition-size";

// Where a scope requests MIG partitions, and the GPUs of each request.

/// One place that requests a partition, or declares that a node has it.
struct PartitionUse {
  enum class Form : std::uint8_t {
    task,      ///< The partition size of a Flyte task's accelerator.
    label,     ///< A value of a partition label, in a selector or on a node.
    resource,  ///< `nvidia.com/mig-<profile>`.
    product,   ///< `nvidia.com/gpu.product=<model>-MIG-<profile>`.
    layout  ///< `nvidia.com/mig.config=all-<profile>` of a node, a default layout of MIG Manager.
  };
  Form form = Form::label;
  bool is_of_node = false;   ///< A node has it; else a workload requests it.
  bool is_declared = false;  ///< The node belongs to a declared pool.
  Node place;                ///< Names the partition; never nothing.
  std::string text;          ///< As written: `1g.5gb.me`, `nvidia.com/mig-1g.5gb`.
  std::string label;         ///< The label's key, if it is a label.
  /// As NVIDIA spells it: `1g.5gb+me`. nullopt if the text has no such form.
  std::optional<std::string> profile;
  /// Device values in the same task, selector or node; the partition may be of any of them.
  std::vector<Value<std::string>> devices;
  std::string who;  ///< ``task `train` ``, ``Pod `x` ``, ``node `a` ``.
};

/// All of them: in declared tasks, workloads and nodes.
[[nodiscard]] std::vector<PartitionUse> find_partition_uses(const Corpus& corpus);

/// Whether it is a node label whose value is the size of MIG partitions.
[[nodiscard]] bool is_partition_label(std::string_view key);

/// The profile that a label value or partition size names, with or without `mig-` in front:
/// `1g.5gb.me`, `1g.5gb+me`, `mig-1g.5gb`.
[[nodiscard]] std::optional<std::string> named_profile(std::string_view text);

/// Whether the text names a profile in a form that no label, selector or taint can have as its
/// value: `1g.5gb+me`.
[[nodiscard]] bool is_unusable_partition_value(std::string_view text);

/// Whether the devices of a request have the partition.
enum class PartitionFit : std::uint8_t {
  open,       ///< Unknown: one of the devices may have it, or none is named.
  not_there,  ///< The devices support MIG, but not this partition.
  whole       ///< None of the devices supports MIG.
};
struct PartitionVerdict {
  PartitionFit fit = PartitionFit::open;
  std::vector<const MigGpu*> gpus;             ///< The devices that support MIG.
  std::vector<std::string_view> allowed = {};  ///< Sizes that GKE offers, if GKE partitions.
};
[[nodiscard]] PartitionVerdict check_partition(const PartitionUse& use);

/// The most similar profile of those GPUs: the one with as many slices, else the one with the most
/// similar name.
[[nodiscard]] std::optional<std::string_view> nearest_profile(std::string_view profile,
                                                              const PartitionVerdict& verdict);

}  // namespace gpulint::rules
