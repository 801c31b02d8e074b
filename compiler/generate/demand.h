#pragma once

#include <span>
#include <string>
#include <vector>

#include "compiler/flyte/flyte_config.h"
#include "compiler/flyte/task.h"
#include "compiler/model/pools/cluster.h"
#include "compiler/schedule/ternary.h"

namespace gpulint::generate {

/// What a task requests, independent of a configuration.
struct Demand {
  const flyte::Task* task = nullptr;
  const flyte::TaskAccelerator* accelerator = nullptr;  ///< Null: any.
  std::string device;                                   ///< As a label's value; empty: any.
  std::string partition;                                ///< Empty: not requested.
  bool unpartitioned = false;                           ///< It explicitly requests a whole device.
};
[[nodiscard]] Demand demand_of(const flyte::Task& task, const flyte::FlyteConfig& config);

/// The label keys that nodes use for devices and partition sizes.
struct LabelKeys {
  std::vector<std::string> device;     ///< The most likely first.
  std::vector<std::string> partition;  ///< The most likely first.
};
/// Found by the values that tasks request, MIG sizes, and the labels that providers set.
[[nodiscard]] LabelKeys find_label_keys(const Cluster& cluster, const std::vector<Demand>& demands);

/// The values that a pool declares for a key; empty if it declares none.
[[nodiscard]] std::vector<std::string> listed_values(const NodePool& pool, std::string_view key);
[[nodiscard]] bool lists(const NodePool& pool, std::string_view key, std::string_view value);

/// Whether `value` is a partition size: of some task, or of any MIG device.
[[nodiscard]] bool is_partition_size(std::string_view value, const std::vector<Demand>& demands);

/// Whether the nodes have the device, its partition, or whole devices, under any label.
[[nodiscard]] Ternary has_device(const NodePool& pool, const Demand& demand, const LabelKeys& keys);
/// Whether the task means these nodes: both.
[[nodiscard]] Ternary is_meant(const NodePool& pool, const Demand& demand, const LabelKeys& keys,
                               const std::vector<Demand>& demands);

/// The tasks to solve if none is declared: one GPU, every device in the nodes' labels, and every
/// partition size with its device.
[[nodiscard]] std::vector<flyte::Task> assumed_tasks(const Cluster& cluster, FlyteVersion version);

/// The nodes to solve for if none are known but a provider is: for each task a pool as the provider
/// would create it, if it has such a device. Labels, taints and resources come from the facts.
[[nodiscard]] Cluster assumed_cluster(Provider provider, std::span<const flyte::Task> tasks,
                                      const flyte::FlyteConfig& config);

}  // namespace gpulint::generate
