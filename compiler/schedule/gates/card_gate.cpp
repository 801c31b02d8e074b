#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/ir/read.h"
#include "compiler/schedule/describe.h"
#include "compiler/schedule/gates/gates.h"
#include "compiler/schedule/pool_accelerators.h"

namespace gpulint {
namespace {

/// What HAMi's device plugin tells of a node in the annotation `hami.io/node-nvidia-register`:
/// `UUID,COUNT,MEMORY,CORES,TYPE,NUMA,HEALTH:` for each card, in later versions the same as a JSON
/// list (Project-HAMi/HAMi 4707fb02c91c, pkg/device/devices.go DecodeNodeDevices,
/// UnMarshalNodeDevices).
struct HamiCards {
  std::int64_t cards = 0;
  std::int64_t largest_memory = 0;  ///< MiB of the card that has most.
  Node node;                        ///< The annotation.
};

constexpr std::string_view register_key = "hami.io/node-nvidia-register";

[[nodiscard]] std::optional<std::int64_t> parse_count(std::string_view text) {
  text = trim(text);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc{} && end == text.data() + text.size() && number >= 0;
  return is_whole ? std::optional(number) : std::nullopt;
}

[[nodiscard]] std::optional<HamiCards> parse_lines(std::string_view text) {
  HamiCards cards;
  while (!text.empty()) {
    std::string_view card = take_part(text, ':');
    if (trim(card).empty()) continue;
    static_cast<void>(take_part(card, ','));  // the UUID
    static_cast<void>(take_part(card, ','));  // into how many shares it is split
    const auto memory = parse_count(take_part(card, ','));
    if (!memory) return std::nullopt;
    ++cards.cards;
    cards.largest_memory = std::max(cards.largest_memory, *memory);
  }
  return cards.cards == 0 ? std::nullopt : std::optional(cards);
}

/// Each card has an `id`; Go leaves out what is zero.
[[nodiscard]] std::optional<HamiCards> parse_json(std::string_view text) {
  constexpr std::string_view memory_key = "\"devmem\":";
  HamiCards cards;
  for (std::size_t at = text.find("\"id\":"); at != text.npos; at = text.find("\"id\":", at + 1)) {
    ++cards.cards;
  }
  for (std::size_t at = text.find(memory_key); at != text.npos;
       at = text.find(memory_key, at + 1)) {
    const std::string_view rest = text.substr(at + memory_key.size());
    const auto memory = parse_count(rest.substr(0, rest.find_first_of(",}")));
    if (!memory) return std::nullopt;
    cards.largest_memory = std::max(cards.largest_memory, *memory);
  }
  return cards.cards == 0 ? std::nullopt : std::optional(cards);
}

/// The annotation's text; for tests of its own.
[[nodiscard]] std::optional<HamiCards> parse_hami_cards(std::string_view text) {
  text = trim(text);
  return text.starts_with('[') ? parse_json(text) : parse_lines(text);
}

/// Nothing where the node has no such annotation, or one in another form.
[[nodiscard]] std::optional<HamiCards> hami_cards(const NodePool& pool) {
  if (pool.source != NodePool::Source::node) return std::nullopt;
  const Field<std::string> text =
      read_string(pool.node.at("metadata", "annotations"), register_key);
  if (!text.is_known()) return std::nullopt;
  auto cards = parse_hami_cards(text.value());
  if (cards) cards->node = text.node();
  return cards;
}

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

/// Containers that want more of `volcano.sh/vgpu-number` than any node has cards: Volcano takes
/// each from another card (volcano-sh/volcano ed72c7c81,
/// pkg/scheduler/api/devices/nvidia/vgpu/utils.go), of which a node offers several. How many cards
/// a node has GPU Feature Discovery says by `nvidia.com/gpu.count`; judged only where all that
/// offer such devices carry the label.
void check_volcano_cards(const MostCards& most, const Workload& workload, Obstacles& obstacles) {
  for (const Container& container : workload.pod.containers) {
    const ResourceEntry* const limit = find_amount(container.resources.limits);
    if (limit == nullptr || limit->amount.value().value() <= most.count) continue;
    obstacles
        .add(limit->amount.node(), "{} wants {} of `{}` and no node has more than {} card{}",
             describe(container), limit->amount.value().value(), vgpu, most.count,
             most.count == 1 ? "" : "s")
        .related(value_node(*most.label), fmt::format("what {} has", describe(*most.node)))
        .help(
            "Volcano gives a container each of them from another physical card: ask for at most "
            "{}, and for its size by `volcano.sh/vgpu-memory` and `volcano.sh/vgpu-cores`",
            most.count);
  }
}

struct KnownCards {
  const NodePool* pool = nullptr;
  HamiCards cards;
};

/// What HAMi tells of all GPU nodes; empty where it does not tell of each.
[[nodiscard]] std::vector<KnownCards> all_cards(const Cluster& cluster) {
  std::vector<KnownCards> known;
  for (const NodePool& pool : cluster.pools) {
    if (auto cards = hami_cards(pool)) {
      known.push_back({&pool, *std::move(cards)});
    } else if (has_accelerators(pool) != Ternary::no) {
      return {};
    }
  }
  return known;
}

[[nodiscard]] const ResourceEntry* find_limit(const Container& container, std::string_view name) {
  const auto found = std::ranges::find_if(
      container.resources.limits, [&](const ResourceEntry& e) { return e.name.value == name; });
  const bool is_known = found != container.resources.limits.end() && found->amount.is_known();
  return is_known ? &*found : nullptr;
}

void check_count(Obstacles& obstacles, const std::vector<KnownCards>& known,
                 const Container& container, const ResourceEntry& limit) {
  const auto cards = [](const KnownCards& node) { return node.cards.cards; };
  const KnownCards& largest = *std::ranges::max_element(known, {}, cards);
  const std::int64_t wanted = limit.amount.value().value();
  if (wanted <= largest.cards.cards) return;
  obstacles
      .add(limit.amount.node(), "{} wants {} of `{}` and no node has more than {} card{}",
           describe(container), wanted, limit.name.value, largest.cards.cards,
           largest.cards.cards == 1 ? "" : "s")
      .related(largest.cards.node, fmt::format("what HAMi tells of {}", describe(*largest.pool)))
      .help(
          "under HAMi a node offers shares of its cards, and a container gets each of its "
          "devices from another physical card: ask for at most {}, and for its size by "
          "`nvidia.com/gpumem` and `nvidia.com/gpucores`",
          largest.cards.cards);
}

void check_memory(Obstacles& obstacles, const std::vector<KnownCards>& known,
                  const Container& container, const ResourceEntry& limit) {
  const auto memory = [](const KnownCards& node) { return node.cards.largest_memory; };
  const KnownCards& largest = *std::ranges::max_element(known, {}, memory);
  const std::int64_t wanted = limit.amount.value().value();
  if (wanted <= largest.cards.largest_memory || largest.cards.largest_memory == 0) return;
  obstacles
      .add(limit.amount.node(), "{} wants {} MiB of one card and the largest has {}",
           describe(container), wanted, largest.cards.largest_memory)
      .related(largest.cards.node, fmt::format("what HAMi tells of {}", describe(*largest.pool)))
      .help("`nvidia.com/gpumem` counts MiB of each card: HAMi finds none that is large enough");
}

}  // namespace

FindObstacles make_card_gate(const Corpus& corpus) {
  MostCards of_volcano = find_most(corpus.cluster);
  std::vector<KnownCards> of_hami = all_cards(corpus.cluster);
  return [of_volcano, of_hami = std::move(of_hami)](const Workload& workload) {
    if (workload.kind.equals("DaemonSet")) return std::vector<Obstacle>{};
    Obstacles found(Gate::device);
    if (of_volcano.node != nullptr) check_volcano_cards(of_volcano, workload, found);
    if (of_hami.empty()) return std::move(found).take();
    for (const Container& container : workload.pod.containers) {
      if (const auto* count = find_limit(container, "nvidia.com/gpu")) {
        check_count(found, of_hami, container, *count);
      }
      if (const auto* memory = find_limit(container, "nvidia.com/gpumem")) {
        check_memory(found, of_hami, container, *memory);
      }
    }
    return std::move(found).take();
  };
}

}  // namespace gpulint
