#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/model/workload.h"
#include "compiler/schedule/label_selector.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

/// An index of the workloads of a scope by the labels of their pods, to match many selectors fast.
/// The workloads must outlive it.
class MatchingPods {
 public:
  explicit MatchingPods(std::span<const Workload> workloads);

  struct Match {
    const Workload* workload = nullptr;
    Ternary selected = Ternary::yes;  ///< Never `no`.
  };
  /// The workloads of a namespace whose pods the selector matches or may match, in order.
  [[nodiscard]] const std::vector<Match>& find(const std::string& name_space,
                                               const LabelSelector& selector);

 private:
  using Positions = std::vector<std::size_t>;
  [[nodiscard]] Positions candidates(const std::string& name_space,
                                     const LabelSelector& selector) const;

  std::span<const Workload> workloads_;
  std::map<std::string, Positions> by_namespace_;
  /// By namespace: pods that have a label with an unknown value.
  std::map<std::string, Positions> unclear_;
  /// By namespace, key and value of a label.
  std::map<std::tuple<std::string, std::string, std::string>, Positions> by_label_;
  std::map<std::pair<std::string, std::string>, std::vector<Match>> found_;
};

}  // namespace gpulint
