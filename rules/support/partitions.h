#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/corpus/corpus.h"
#include "compiler/model/facts/gpu_catalog.h"

namespace gpulint::rules {

/// GKE's, on nodes whose GPUs it partitions.
inline constexpr std::string_view gke_partition_label = "cloud.google.com/gke-gpu-partition-size";

// Where a scope asks for MIG partitions, and of which GPUs.

/// One place that asks for a partition, or says that a node has it.
struct PartitionUse {
  enum class Form : std::uint8_t {
    task,      ///< The partition size of a Flyte task's accelerator.
    label,     ///< A value of a partition label, in a selector or on a node.
    resource,  ///< `nvidia.com/mig-<profile>`.
    product,   ///< `nvidia.com/gpu.product=<model>-MIG-<profile>`.
    layout  ///< `nvidia.com/mig.config=all-<profile>` of a node, as MIG manager's own file has it.
  };
  Form form = Form::label;
  bool is_of_node = false;   ///< A node has it; else a workload asks for it.
  bool is_declared = false;  ///< That node is one of a declared pool.
  Node place;                ///< What names the partition; never nothing.
  std::string text;          ///< As it is named: `1g.5gb.me`, `nvidia.com/mig-1g.5gb`.
  std::string label;         ///< The label's key, where it is a label.
  /// As NVIDIA spells it: `1g.5gb+me`. nullopt: the text has no such form.
  std::optional<std::string> profile;
  /// Device values that the same task, selector or node names, any of which may be meant.
  std::vector<Value<std::string>> devices;
  std::string who;  ///< ``task `train` ``, ``Pod `x` ``, ``node `a` ``.
};

/// All of them: declared tasks, given workloads, nodes.
[[nodiscard]] std::vector<PartitionUse> find_partition_uses(const Corpus& corpus);

/// Labels by whose value nodes are told apart by the size of their MIG partitions.
[[nodiscard]] bool is_partition_label(std::string_view key);

/// The profile that a label value or partition size names, with or without `mig-` in front:
/// `1g.5gb.me`, `1g.5gb+me`, `mig-1g.5gb`.
[[nodiscard]] std::optional<std::string> named_profile(std::string_view text);

/// Whether the text names a profile in a form that no label, selector or taint can have as its
/// value: `1g.5gb+me`.
[[nodiscard]] bool is_unusable_partition_value(std::string_view text);

/// What is known of a partition on the devices that it is asked of.
enum class PartitionFit : std::uint8_t {
  open,       ///< One of the devices may have it, or none is named.
  not_there,  ///< The devices can be partitioned, but none so.
  whole       ///< None of the devices can be partitioned.
};
struct PartitionVerdict {
  PartitionFit fit = PartitionFit::open;
  std::vector<const MigGpu*> gpus;             ///< The partitionable models among the devices.
  std::vector<std::string_view> allowed = {};  ///< Sizes that GKE offers, where GKE decides.
};
[[nodiscard]] PartitionVerdict judge_partition(const PartitionUse& use);

/// The profile of those GPUs that was most likely meant: the one with as many slices, else the one
/// that is spelt most alike.
[[nodiscard]] std::optional<std::string_view> nearest_profile(std::string_view profile,
                                                              const PartitionVerdict& verdict);

}  // namespace gpulint::rules
