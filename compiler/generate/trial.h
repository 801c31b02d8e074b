#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/flyte/inject.h"
#include "compiler/generate/demand.h"
#include "compiler/model/kinds/runtime_classes.h"
#include "compiler/schedule/placement.h"

namespace gpulint::generate {

/// The problem to solve. Everything must outlive the solution.
struct Problem {
  const Cluster* cluster = nullptr;
  const flyte::FlyteConfig* config = nullptr;  ///< The existing configuration; loads without
                                               ///< problems.
  const flyte::PlatformResources* platform = nullptr;
  std::span<const flyte::Task> tasks;
  ExtendedResourceToleration admission = ExtendedResourceToleration::unknown;
  const RuntimeClasses* runtime_classes = nullptr;  ///< Never null.
};

// Candidate: a Block. Trial: the tasks' pods under it. Outcome: a Service for each task.

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

/// How well a task is served.
struct Service {
  enum class Fit : std::uint8_t {
    none,
    open,    ///< It may fit, if nodes have labels or resources that they do not declare.
    likely,  ///< The nodes' provider sets what it needs.
    certain,
  };
  Fit fit = Fit::none;
  bool is_misplaced = false;  ///< It also fits nodes that it does not mean.
  friend bool operator==(const Service&, const Service&) = default;
  /// Greater is better.
  [[nodiscard]] int rank() const {
    return fit == Fit::none ? 0 : 2 * static_cast<int>(fit) - (is_misplaced ? 1 : 0);
  }
};

/// The tasks of a problem with one block, as pods to compare with the nodes.
class Trial {
 public:
  Trial(const Problem& problem, const std::vector<Demand>& demands, const Block& block);
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  [[nodiscard]] const flyte::FlyteConfig& config() const { return config_; }
  [[nodiscard]] const flyte::CompiledPod& pod(std::size_t task) const { return pods_[task]; }
  [[nodiscard]] const PreparedPod& prepared(std::size_t task) const { return prepared_[task]; }
  [[nodiscard]] std::vector<const Workload*> workloads() const;

 private:
  flyte::FlyteConfig config_;
  std::deque<flyte::CompiledPod> pods_;  // stable: prepared pods point into it
  std::vector<PreparedPod> prepared_;
};

/// The pod of a task under a configuration, with what its RuntimeClass adds.
[[nodiscard]] flyte::CompiledPod make_pod(const flyte::FlyteConfig& config,
                                          const flyte::PlatformResources& platform,
                                          const flyte::Task& task, const RuntimeClasses& classes);

/// How well a task fits its best nodes under a configuration; `no` if Flyte rejects it.
[[nodiscard]] Ternary try_task(const Problem& problem, const flyte::FlyteConfig& config,
                               const flyte::PlatformResources& platform, const flyte::Task& task);

/// The GPU resource that a pod requests, the first by name; empty: none.
[[nodiscard]] std::string gpu_resource_of(const PreparedPod& pod);

}  // namespace gpulint::generate
