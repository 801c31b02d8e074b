#include "compiler/model/unknown_pod.h"

#include <algorithm>
#include <iterator>

namespace gpulint {

void mark_missing_unknown(PodSpec& pod) {
  pod.tolerations_opaque = pod.tolerations_opaque || !pod.tolerations_node;
  pod.node_selector_opaque = pod.node_selector_opaque || !pod.node_selector_node;
  pod.affinity_opaque = pod.affinity_opaque || !pod.node_affinity.node;
}

void add_scheduling(PodSpec& pod, const PodSpec& other) {
  if (!pod.tolerations_node) pod.tolerations_node = other.tolerations_node;
  std::ranges::copy(other.tolerations, std::back_inserter(pod.tolerations));
  pod.tolerations_opaque = pod.tolerations_opaque || other.tolerations_opaque;
  if (!pod.node_selector_node) pod.node_selector_node = other.node_selector_node;
  for (const LabelEntry& entry : other.node_selector) {
    const auto is_same = [&](const LabelEntry& own) { return own.key.value == entry.key.value; };
    if (std::ranges::none_of(pod.node_selector, is_same)) pod.node_selector.push_back(entry);
  }
  pod.node_selector_opaque = pod.node_selector_opaque || other.node_selector_opaque;
  if (!pod.node_affinity.node) pod.node_affinity = other.node_affinity;
  pod.affinity_opaque = pod.affinity_opaque || other.affinity_opaque;
}

}  // namespace gpulint
