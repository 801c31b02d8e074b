#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "compiler/generate/trial.h"

namespace gpulint::generate {

/// A prepared problem: the tasks' demands, the labels to choose from, and the nodes in classes that
/// no choice can distinguish.
class PreparedProblem {
 public:
  explicit PreparedProblem(const Problem& problem);

  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const std::vector<Demand>& demands() const { return demands_; }
  [[nodiscard]] const LabelKeys& keys() const { return keys_; }
  /// All choices of labels, the present one first. None has tolerations; all have the limits that
  /// tasks need with any labels.
  [[nodiscard]] std::size_t size() const { return choices_.size(); }
  [[nodiscard]] const Block& choice(std::size_t i) const { return choices_[i]; }
  [[nodiscard]] const Trial& trial(std::size_t i) const { return trials_[i]; }

  [[nodiscard]] std::span<const NodeClass> classes() const { return placement_->classes(); }
  [[nodiscard]] const NodePool& pool(std::size_t node_class) const;
  /// Whether the nodes of a class are what the task requests, by device and partition.
  [[nodiscard]] Ternary is_meant(std::size_t task, std::size_t node_class) const;

  /// Whether the task's pod fits nodes of the class, according to the scheduler and to what their
  /// machines certainly lack.
  [[nodiscard]] Ternary fits(const Trial& trial, std::size_t task, std::size_t node_class) const;
  /// Whether the machines of a class certainly lack the GPU resource that the pod requests.
  [[nodiscard]] bool lacks_gpus(const PreparedPod& pod, std::size_t node_class) const;

  /// The limits that the platform must have for these tasks.
  using TaskFilter = std::function<bool(std::size_t task)>;
  [[nodiscard]] std::vector<PlatformLimit> limits_for(const TaskFilter& counts) const;

  /// The outcome for each task.
  [[nodiscard]] std::vector<Service> serve(const Trial& trial) const;
  [[nodiscard]] std::vector<Service> serve(const Block& block) const;

 private:
  void add_choices();
  void add_unpartitioned_choices(const Block& block);
  [[nodiscard]] Service serve(const Trial& trial, std::size_t task) const;

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
