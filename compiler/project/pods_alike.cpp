#include "compiler/project/pods_alike.h"

namespace gpulint {

void PodsAlike::add(const Document& document, const Counts& counts) {
  if (counts.empty()) return;
  const std::lock_guard lock(mutex_);
  for (const auto& [pod, count] : counts) counts_[{&document, pod}] = count;
}

std::size_t PodsAlike::of(Node pod) const {
  const auto found = counts_.find({pod.document(), pod.index()});
  return found == counts_.end() ? 0 : found->second;
}

std::size_t PodsAlike::total() const {
  std::size_t total = 0;
  for (const auto& [pod, count] : counts_) total += count;
  return total;
}

}  // namespace gpulint
