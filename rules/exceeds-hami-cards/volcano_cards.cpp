#include "rules/exceeds-hami-cards/volcano_cards.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/schedule/pool_accelerators.h"
#include "rules/support/causes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::exceeds_hami_cards {
namespace {

constexpr std::string_view vgpu = "volcano.sh/vgpu-number";
constexpr std::string_view count_label = "nvidia.com/gpu.count";

[[nodiscard]] const ResourceEntry* find_amount(const std::vector<ResourceEntry>& entries) {
  const auto found = std::ranges::find_if(
      entries, [](const ResourceEntry& entry) { return entry.name.value == vgpu; });
  return found != entries.end() && found->amount.is_known() ? &*found : nullptr;
}

/// The label of a node; null where it has none, or it says no number.
[[nodiscard]] const PoolLabel* find_count(const NodePool& node, std::int64_t& count) {
  const auto label = std::ranges::find(node.labels, count_label, &PoolLabel::key);
  if (label == node.labels.end() || label->values.size() != 1) return nullptr;
  const std::string& text = label->values.front();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  return error == std::errc{} && end == text.data() + text.size() && count > 0 ? &*label : nullptr;
}

struct MostCards {
  const NodePool* node = nullptr;
  const PoolLabel* label = nullptr;
  std::int64_t count = 0;
};

/// The node with the most; none where one does not say.
[[nodiscard]] MostCards find_most(const Cluster& cluster) {
  MostCards most;
  for (const NodePool& node : cluster.pools) {
    const ResourceEntry* const offered = find_amount(node.allocatable);
    const bool is_known = node.source == NodePool::Source::node && node.resources_complete;
    if (!is_known && has_accelerators(node) != Ternary::no) return {};
    if (offered == nullptr || offered->amount.value().is_zero()) continue;
    std::int64_t count = 0;
    const PoolLabel* const label = find_count(node, count);
    if (label == nullptr) return {};
    if (count > most.count) most = {&node, label, count};
  }
  return most;
}

}  // namespace

void check_volcano_cards(const Corpus& corpus, Reporter& reporter) {
  const MostCards most = find_most(corpus.cluster);
  if (most.node == nullptr) return;
  for (const Workload& workload : corpus.workloads) {
    if (is_node_agent(workload)) continue;
    for (const Container& container : workload.pod.containers) {
      const ResourceEntry* const limit = find_amount(container.resources.limits);
      if (limit == nullptr || limit->amount.value().value() <= most.count) continue;
      reporter
          .report(limit->amount.node(), "{} wants {} of `{}` and no node has more than {} card{}",
                  describe(container), limit->amount.value().value(), vgpu, most.count,
                  most.count == 1 ? "" : "s")
          .related(value_node(*most.label), fmt::format("what {} has", describe(*most.node)))
          .help(
              "Volcano gives a container each of them from another physical card: ask for at most "
              "{}, and for its size by `volcano.sh/vgpu-memory` and `volcano.sh/vgpu-cores`",
              most.count);
    }
  }
}

}  // namespace gpulint::rules::exceeds_hami_cards
