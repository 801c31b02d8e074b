#include "rules/invalid-gpu-share/memory_label.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "rules/support/causes.h"

namespace gpulint::rules::invalid_gpu_share {
namespace {

constexpr std::string_view memory_label = "nvidia.com/gpu.memory";
/// In MiB.
constexpr std::int64_t default_memory = 100;

[[nodiscard]] bool has_gpus(const NodePool& node) {
  return std::ranges::any_of(node.allocatable, [](const ResourceEntry& entry) {
    return entry.name.value == "nvidia.com/gpu" && entry.amount.is_known() &&
           entry.amount.value().value() > 0;
  });
}

/// A GPU node that is given whole; nothing where one may have the label.
[[nodiscard]] const NodePool* find_unlabelled(const Cluster& cluster) {
  const NodePool* found = nullptr;
  for (const NodePool& node : cluster.pools) {
    const bool is_whole =
        node.source == NodePool::Source::node && node.node.at("status", "nodeInfo").size() > 0;
    if (!is_whole) return nullptr;
    if (!has_gpus(node)) continue;
    if (std::ranges::find(node.labels, memory_label, &PoolLabel::key) != node.labels.end()) {
      return nullptr;
    }
    if (found == nullptr) found = &node;
  }
  return found;
}

}  // namespace

void check_memory_label(const Corpus& corpus, Reporter& reporter, const LabelEntry& memory) {
  const std::string text = memory.value.value_or("");
  std::int64_t amount = 0;
  std::from_chars(text.data(), text.data() + text.size(), amount);
  const NodePool* const node = find_unlabelled(corpus.cluster);
  if (amount <= default_memory || node == nullptr) return;
  reporter
      .report(memory.value.node(),
              "KAI-Scheduler knows of no GPU that it has {} MiB: nodes lack the label `{}`", amount,
              memory_label)
      .related(name_node(*node), "a GPU node without it")
      .help(
          "it takes {} MiB for granted, so that the pod stays Pending: install GPU Feature "
          "Discovery (NVIDIA's operator does), or ask by `gpu-fraction`",
          default_memory)
      .severity(Severity::warning);
}

}  // namespace gpulint::rules::invalid_gpu_share
