#include "compiler/schedule/matching_pods.h"

#include <algorithm>
#include <iterator>

namespace gpulint {

MatchingPods::MatchingPods(std::span<const Workload> workloads) : workloads_(workloads) {
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    const Workload& workload = workloads[i];
    by_namespace_[workload.name_space].push_back(i);
    bool is_clear = true;
    for (const LabelEntry& label : workload.labels) {
      is_clear = is_clear && label.value.is_known();
      if (!label.value.is_known()) continue;
      by_label_[{workload.name_space, label.key.value, label.value.value()}].push_back(i);
    }
    if (!is_clear) unclear_[workload.name_space].push_back(i);
  }
}

MatchingPods::Positions MatchingPods::candidates(const std::string& name_space,
                                                 const LabelSelector& selector) const {
  const auto in = [](const auto& positions, const auto& key) {
    const auto found = positions.find(key);
    return found == positions.end() ? Positions() : found->second;
  };
  const LabelEntry* const label = selector.required_label();
  if (label == nullptr) return in(by_namespace_, name_space);
  Positions all;
  std::ranges::set_union(
      in(by_label_, std::tuple(name_space, label->key.value, label->value.value())),
      in(unclear_, name_space), std::back_inserter(all));
  return all;
}

const std::vector<MatchingPods::Match>& MatchingPods::find(const std::string& name_space,
                                                           const LabelSelector& selector) {
  const auto [at, is_new] = found_.try_emplace(std::pair(name_space, selector.text()));
  if (!is_new) return at->second;
  for (const std::size_t i : candidates(name_space, selector)) {
    const Ternary selected = selector.matches(workloads_[i].labels);
    if (selected != Ternary::no) at->second.push_back({&workloads_[i], selected});
  }
  return at->second;
}

}  // namespace gpulint
