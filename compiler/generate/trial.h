#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "compiler/flyte/inject.h"
#include "compiler/generate/block.h"
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

/// The GPU resource that a pod requests, the first by name; empty: none.
[[nodiscard]] std::string gpu_resource_of(const PreparedPod& pod);

}  // namespace gpulint::generate
