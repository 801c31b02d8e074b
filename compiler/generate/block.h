#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "compiler/flyte/flyte_config.h"
#include "compiler/flyte/resources.h"

namespace gpulint::generate {

/// A toleration that `resource-tolerations` adds to every pod that requests a resource.
struct ResourceToleration {
  std::string resource;
  std::string key;
  std::string op;  ///< `Equal` or `Exists`.
  std::string value;
  std::string effect;  ///< Empty: every effect.
  friend auto operator<=>(const ResourceToleration&, const ResourceToleration&) = default;
};

/// `gpu-unpartitioned-node-selector-requirement`: nodes with whole GPUs have one of `values`;
/// without values they do not have the label.
struct UnpartitionedRequirement {
  std::string key;
  std::vector<std::string> values;
  friend auto operator<=>(const UnpartitionedRequirement&,
                          const UnpartitionedRequirement&) = default;
};

/// `task_resources.limits`: the most that flyteadmin allows for a task.
struct PlatformLimit {
  std::string name;    ///< As Flyte spells it: `gpu`, `cpu`, `memory`, `ephemeralStorage`.
  std::string amount;  ///< As written by the task that needs it.
  std::string task;    ///< The task that requests it.
};

/// Settings to write over a configuration. Empty fields keep the configuration's values.
struct Block {
  std::string gpu_resource_name;  ///< Flyte 2 only.
  std::string device_label;
  std::string partition_label;
  std::optional<UnpartitionedRequirement> unpartitioned_requirement;
  std::optional<ResourceToleration> unpartitioned_toleration;  ///< `resource` is empty.
  std::vector<ResourceToleration> tolerations;                 ///< Sorted.
  std::vector<PlatformLimit> limits;
};

/// The number of lines that set something.
[[nodiscard]] std::size_t line_count(const Block& block);

/// The configuration with the block merged over it.
[[nodiscard]] flyte::FlyteConfig with_block(const flyte::FlyteConfig& config, const Block& block);
[[nodiscard]] flyte::PlatformResources with_block(flyte::PlatformResources platform,
                                                  const Block& block);

/// The toleration as Flyte and Kubernetes write it.
[[nodiscard]] Toleration to_toleration(const ResourceToleration& toleration);

}  // namespace gpulint::generate
