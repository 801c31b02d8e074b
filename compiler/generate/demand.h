#pragma once

#include <string>
#include <vector>

#include "compiler/flyte/flyte_config.h"
#include "compiler/flyte/task.h"
#include "compiler/model/cluster.h"
#include "compiler/schedule/ternary.h"

namespace gpulint::generate {

/// What a task means, whatever a configuration makes of it.
struct Demand {
  const flyte::Task* task = nullptr;
  const flyte::TaskAccelerator* accelerator = nullptr;  ///< Null: any.
  std::string device;                                   ///< As a label's value; empty: any.
  std::string partition;                                ///< Empty: not asked for.
  bool unpartitioned = false;                           ///< A whole device, said so.
};
[[nodiscard]] Demand demand_of(const flyte::Task& task, const flyte::FlyteConfig& config);

/// The label keys under which nodes tell devices and partition sizes.
struct LabelKeys {
  std::vector<std::string> device;     ///< Likelier ones first.
  std::vector<std::string> partition;  ///< Likewise.
};
/// Found by the values that tasks ask for, MIG sizes, and what providers are known to set.
[[nodiscard]] LabelKeys find_label_keys(const Cluster& cluster, const std::vector<Demand>& demands);

/// The values that a pool's nodes are said to carry under a key; none where nothing is said.
[[nodiscard]] std::vector<std::string> listed_values(const NodePool& pool, std::string_view key);
[[nodiscard]] bool lists(const NodePool& pool, std::string_view key, std::string_view value);

/// Whether `value` is the size of a partition: of some task, or of any MIG device.
[[nodiscard]] bool is_partition_size(std::string_view value, const std::vector<Demand>& demands);

/// Whether the nodes have the device, its partition, or whole devices, under whichever label.
[[nodiscard]] Ternary has_device(const NodePool& pool, const Demand& demand, const LabelKeys& keys);
/// Both: the nodes are meant.
[[nodiscard]] Ternary is_meant(const NodePool& pool, const Demand& demand, const LabelKeys& keys,
                               const std::vector<Demand>& demands);

}  // namespace gpulint::generate
