#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "compiler/generate/trial.h"

namespace gpulint::generate {

/// A problem made ready: what the tasks mean, the labels to choose from, and the nodes in classes
/// that no choice can tell apart.
class PreparedProblem {
 public:
  explicit PreparedProblem(const Problem& problem);

  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const std::vector<Demand>& demands() const { return demands_; }
  [[nodiscard]] const LabelKeys& keys() const { return keys_; }
  /// Every choice of labels, the present one first. None has tolerations; all have the limits that
  /// tasks need whatever the labels.
  [[nodiscard]] std::size_t size() const { return choices_.size(); }
  [[nodiscard]] const Block& choice(std::size_t i) const { return choices_[i]; }
  [[nodiscard]] const Trial& trial(std::size_t i) const { return trials_[i]; }

  [[nodiscard]] std::span<const NodeClass> classes() const { return placement_->classes(); }
  [[nodiscard]] const NodePool& pool(std::size_t node_class) const;
  /// Whether a class is what the task means, by device and partition.
  [[nodiscard]] Ternary is_meant(std::size_t task, std::size_t node_class) const;

  /// Whether the task's pod fits nodes of the class, by the scheduler and by what their machines
  /// are known not to have.
  [[nodiscard]] Ternary fits(const Trial& trial, std::size_t task, std::size_t node_class) const;
  /// Whether the machines of a class are known to lack the GPU resource that the pod requests.
  [[nodiscard]] bool lacks_gpus(const PreparedPod& pod, std::size_t node_class) const;

  /// What the platform's limits must be raised to for these tasks.
  using TaskFilter = std::function<bool(std::size_t task)>;
  [[nodiscard]] std::vector<PlatformLimit> limits_for(const TaskFilter& counts) const;

  [[nodiscard]] Service serve(const Trial& trial, std::size_t task) const;
  [[nodiscard]] std::vector<Service> serve(const Block& block) const;

 private:
  void add_choices();
  void add_unpartitioned_choices(const Block& block);

  Problem problem_;
  std::vector<Demand> demands_;
  LabelKeys keys_;
  std::vector<PlatformLimit> limits_;
  std::vector<Block> choices_;
  std::deque<Trial> trials_;
  std::unique_ptr<Placement> placement_;
  std::vector<std::vector<Ternary>> meant_;  // by task and class
  std::vector<Ternary> accelerators_;        // by class
};

}  // namespace gpulint::generate
