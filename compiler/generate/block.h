#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "compiler/flyte/flyte_config.h"
#include "compiler/flyte/resources.h"

namespace gpulint::generate {

/// A toleration that `resource-tolerations` gives to every pod that requests a resource.
struct ResourceToleration {
  std::string resource;
  std::string key;
  std::string op;  ///< `Equal` or `Exists`.
  std::string value;
  std::string effect;  ///< Empty: every effect.
  friend auto operator<=>(const ResourceToleration&, const ResourceToleration&) = default;
};

/// `gpu-unpartitioned-node-selector-requirement`: nodes with whole GPUs carry one of `values`; with
/// none, they do not carry the label.
struct UnpartitionedRequirement {
  std::string key;
  std::vector<std::string> values;
  friend auto operator<=>(const UnpartitionedRequirement&,
                          const UnpartitionedRequirement&) = default;
};

/// `task_resources.limits`: how much flyteadmin lets a task have.
struct PlatformLimit {
  std::string name;    ///< As Flyte spells it: `gpu`, `cpu`, `memory`, `ephemeralStorage`.
  std::string amount;  ///< As the task that needs it has it.
  std::string task;    ///< Who asks for so much.
};

/// What is to be written over a configuration. What is empty stays as the configuration has it.
struct Block {
  std::string gpu_resource_name;  ///< Flyte 2 only.
  std::string device_label;
  std::string partition_label;
  std::optional<UnpartitionedRequirement> unpartitioned_requirement;
  std::optional<ResourceToleration> unpartitioned_toleration;  ///< `resource` is empty.
  std::vector<ResourceToleration> tolerations;                 ///< Sorted.
  std::vector<PlatformLimit> limits;
};

/// How many lines that decide something.
[[nodiscard]] std::size_t line_count(const Block& block);

/// The configuration with the block over it.
[[nodiscard]] flyte::FlyteConfig with_block(const flyte::FlyteConfig& config, const Block& block);
[[nodiscard]] flyte::PlatformResources with_block(flyte::PlatformResources platform,
                                                  const Block& block);

/// As Flyte and Kubernetes have it.
[[nodiscard]] Toleration to_toleration(const ResourceToleration& toleration);

}  // namespace gpulint::generate
