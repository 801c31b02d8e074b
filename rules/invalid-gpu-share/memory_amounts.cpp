#include "rules/invalid-gpu-share/memory_amounts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
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

[[nodiscard]] std::int64_t read_amount(std::string_view text) {
  std::int64_t amount = 0;
  std::from_chars(text.data(), text.data() + text.size(), amount);
  return amount;
}

/// Whether a label that the pod selects keeps it off the Node.
[[nodiscard]] bool is_ruled_out(const NodePool& node, const PodSpec& pod) {
  return std::ranges::any_of(pod.node_selector, [&](const LabelEntry& wanted) {
    const auto label = std::ranges::find(node.labels, wanted.key.value, &PoolLabel::key);
    if (label == node.labels.end()) return node.labels_complete;
    return wanted.value.is_known() && label->known == PoolLabel::Known::exact &&
           label->values.front() != wanted.value.value();
  });
}

/// The label of the GPU Node that has the most among those that may take the pod; null where one is
/// without, or not every node is given as a Node with what it offers.
[[nodiscard]] const PoolLabel* find_largest(const Cluster& cluster, const PodSpec& pod) {
  const PoolLabel* largest = nullptr;
  for (const NodePool& node : cluster.pools) {
    if (node.source != NodePool::Source::node || !node.resources_complete) return nullptr;
    if (!has_gpus(node) || is_ruled_out(node, pod)) continue;
    const auto label = std::ranges::find(node.labels, memory_label, &PoolLabel::key);
    if (label == node.labels.end() || label->values.size() != 1) return nullptr;
    const std::int64_t amount = read_amount(label->values.front());
    if (amount <= 0) return nullptr;
    if (largest == nullptr || amount > read_amount(largest->values.front())) largest = &*label;
  }
  return largest;
}

/// Resources that count MiB of a GPU's memory (HAMi, docs of its devices; Volcano, «vGPU»).
constexpr auto memory_resources = std::to_array<std::string_view>(
    {"nvidia.com/gpumem", "amd.com/gpumem", "volcano.sh/vgpu-memory"});

/// No GPU has as much: what asks for more was meant as bytes.
constexpr std::int64_t most_mebibytes = 1'000'000;

void check_amount(const Corpus& corpus, Reporter& reporter, const ResourceEntry& entry) {
  if (!is_listed(memory_resources, entry.name.value) || !entry.amount.is_known() ||
      !entry.amount.node())
    return;
  const std::int64_t amount = entry.amount.value().value();
  if (amount <= most_mebibytes) return;
  const std::int64_t meant = amount / (std::int64_t{1} << 20);
  Finding finding = reporter.report(entry.amount.node(), "`{}: {}` is {} MiB, which no GPU has",
                                    entry.name.value, entry.amount.node().text(), amount);
  finding.help("it is a number of MiB, without a unit");
  if (meant == 0) return;
  finding.fix(Safety::unsafe, fmt::format("write {}", meant),
              replace_raw(*corpus.sources, entry.amount.node(), std::to_string(meant)));
}

}  // namespace

void check_memory_amount(const Corpus& corpus, Reporter& reporter, const Workload& workload,
                         const LabelEntry& memory) {
  const std::int64_t amount = read_amount(memory.value.value_or(""));
  const PoolLabel* const largest = find_largest(corpus.cluster, workload.pod);
  if (largest == nullptr || amount <= read_amount(largest->values.front())) return;
  reporter
      .report(memory.value.node(),
              "{} wants {} MiB of one GPU; those of the nodes that take it "
              "have {} at most",
              describe(workload), amount, largest->values.front())
      .related(value_node(*largest), "the largest")
      .help("KAI-Scheduler never places it: ask for less, or select nodes with larger GPUs");
}

void check_memory_label(const Corpus& corpus, Reporter& reporter, const LabelEntry& memory) {
  const std::int64_t amount = read_amount(memory.value.value_or(""));
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

void check_memory(const Corpus& corpus, Reporter& reporter, const Workload& workload) {
  for (const Container& container : workload.pod.containers) {
    for (const ResourceEntry& limit : container.resources.limits) {
      check_amount(corpus, reporter, limit);
    }
  }
}

}  // namespace gpulint::rules::invalid_gpu_share
