#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <utility>

#include "compiler/model/find_annotation.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/schedule/describe.h"
#include "compiler/schedule/gates/gates.h"
#include "compiler/schedule/known_nodes.h"

namespace gpulint {
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

/// Whether GPU Feature Discovery has labelled the node.
[[nodiscard]] bool is_labelled_by_discovery(const NodePool& node) {
  return find_label(node, "nvidia.com/gpu.count") != nullptr ||
         find_label(node, "nvidia.com/gpu.product") != nullptr;
}

[[nodiscard]] std::int64_t read_amount(std::string_view text) {
  std::int64_t amount = 0;
  std::from_chars(text.data(), text.data() + text.size(), amount);
  return amount;
}

/// Whether the pod selects a label that the Node does not have.
[[nodiscard]] bool is_ruled_out(const NodePool& node, const PodSpec& pod) {
  return std::ranges::any_of(pod.node_selector, [&](const LabelEntry& selected) {
    const PoolLabel* const label = find_label(node, selected.key.value);
    if (label == nullptr) return node.labels_complete;
    return selected.value.is_known() && label->known == PoolLabel::Known::exact &&
           label->values.front() != selected.value.value();
  });
}

/// A GPU node that matches the pod, without the label. Null if a node has it, or if a node may have
/// it.
[[nodiscard]] const NodePool* find_unlabelled(const Cluster& cluster, const PodSpec& pod) {
  const NodePool* found = nullptr;
  for (const NodePool& node : cluster.pools) {
    if (node.source != NodePool::Source::node || !node.resources_complete) return nullptr;
    if (!has_gpus(node) || is_ruled_out(node, pod)) continue;
    const bool is_whole =
        node.node.at("status", "nodeInfo").size() > 0 || is_labelled_by_discovery(node);
    if (!is_whole || find_label(node, memory_label) != nullptr) return nullptr;
    if (found == nullptr) found = &node;
  }
  return found;
}

/// The largest label of the GPU Nodes that match the pod. Null if one has no label, or if a node is
/// not a Node object with its resources.
[[nodiscard]] const PoolLabel* find_largest(const Cluster& cluster, const PodSpec& pod) {
  const PoolLabel* largest = nullptr;
  for (const NodePool& node : cluster.pools) {
    if (node.source != NodePool::Source::node || !node.resources_complete) return nullptr;
    if (!has_gpus(node) || is_ruled_out(node, pod)) continue;
    const PoolLabel* const label = find_label(node, memory_label);
    if (label == nullptr || label->values.size() != 1) return nullptr;
    const std::int64_t amount = read_amount(label->values.front());
    if (amount <= 0) return nullptr;
    if (largest == nullptr || amount > read_amount(largest->values.front())) largest = label;
  }
  return largest;
}

/// Whether all nodes are known, and the pod may run on none of those with GPUs.
[[nodiscard]] bool has_no_gpu(const Cluster& cluster, const PodSpec& pod) {
  return !cluster.pools.empty() && std::ranges::all_of(cluster.pools, [&](const NodePool& node) {
    return node.source == NodePool::Source::node && node.resources_complete &&
           (!has_gpus(node) || is_ruled_out(node, pod));
  });
}

/// `gpu-memory` (MiB) above the label of every GPU node that matches the pod.
void check_memory_amount(const Cluster& cluster, Obstacles& found, const Workload& workload,
                         const LabelEntry& memory) {
  const std::int64_t amount = read_amount(memory.value.value_or(""));
  const PoolLabel* const largest = find_largest(cluster, workload.pod);
  if (largest == nullptr || amount <= read_amount(largest->values.front())) return;
  found
      .add(memory.value.node(),
           "{} requests {} MiB of GPU memory, but the largest matching GPU has {} MiB",
           describe(workload), amount, largest->values.front())
      .related(value_node(*largest), "the memory of the largest GPU, in MiB")
      .help(
          "request at most {} MiB, or select nodes with larger GPUs. Otherwise KAI-Scheduler never "
          "schedules the pod",
          largest->values.front());
}

/// `gpu-memory` if no node has the label `nvidia.com/gpu.memory`. KAI-Scheduler then assumes 100
/// MiB (kai-scheduler/KAI-Scheduler 72de64fc8eca, pkg/scheduler/api/node_info/node_info.go,
/// DefaultGpuMemory). Checked only with Nodes from a cluster. GPUs that share the memory of the
/// processor get no label (kai-scheduler/KAI-Scheduler issue 706).
void check_memory_label(const Cluster& cluster, Obstacles& found, const Workload& workload,
                        const LabelEntry& memory) {
  const std::int64_t amount = read_amount(memory.value.value_or(""));
  const NodePool* const node = find_unlabelled(cluster, workload.pod);
  if (amount <= default_memory || node == nullptr) return;
  found
      .add(
          memory.value.node(),
          "KAI-Scheduler finds no GPU with {} MiB, because no matching GPU node has the label `{}`",
          amount, memory_label)
      .related(name_node(*node), is_labelled_by_discovery(*node)
                                     ? "GPU Feature Discovery did not set the label on this node"
                                     : "this GPU node does not have the label")
      .help(
          "{}, or use `gpu-fraction`. Otherwise KAI-Scheduler assumes {} MiB per GPU, and the pod "
          "stays Pending",
          is_labelled_by_discovery(*node)
              ? "set the label `nvidia.com/gpu.memory` on the GPU nodes"
              : "install GPU Feature Discovery (part of the GPU Operator)",
          default_memory)
      .assume();
}

}  // namespace

FindObstacles make_share_gate(const ScopeModel& model) {
  return [&cluster = model.cluster](const Workload& workload) {
    Obstacles found(Gate::device);
    if (!workload.pod.scheduler_name.equals("kai-scheduler")) return std::move(found).take();
    const LabelEntry* const memory = find_annotation(workload, "gpu-memory");
    const LabelEntry* const fraction = find_annotation(workload, "gpu-fraction");
    if (memory != nullptr) {
      check_memory_label(cluster, found, workload, *memory);
      check_memory_amount(cluster, found, workload, *memory);
    }
    const LabelEntry* const share = fraction != nullptr ? fraction : memory;
    if (share != nullptr && has_no_gpu(cluster, workload.pod)) {
      found
          .add(share->value.node(), "{} needs part of a GPU, but no matching node has a GPU",
               describe(workload))
          .help("select a node with GPUs, or add a GPU node. Otherwise the pod stays Pending")
          .assume();
    }
    return std::move(found).take();
  };
}

}  // namespace gpulint
