#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/counted.h"
#include "compiler/base/text.h"
#include "compiler/ir/read.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/schedule/describe.h"
#include "compiler/schedule/gates/gates.h"
#include "compiler/schedule/named_nodes.h"
#include "compiler/schedule/pool_accelerators.h"

namespace gpulint {
namespace {

/// A scheduler that shares cards, with the names that its device plugin uses.
struct Sharing {
  std::string_view name;
  std::string_view register_key;  ///< Annotation of a node with its cards.
  std::string_view count;         ///< The resource whose units are on different cards.
  std::string_view memory;        ///< MiB of each card.
  std::string_view cores;
};

/// The annotations are `UUID,COUNT,MEMORY,…:` for each card, in later versions the same as a JSON
/// list (Project-HAMi/HAMi 4707fb02c91c, pkg/device/devices.go DecodeNodeDevices,
/// UnMarshalNodeDevices; volcano-sh/volcano ed72c7c81, pkg/scheduler/api/devices/nvidia/vgpu).
constexpr std::array<Sharing, 2> sharings{{{.name = "HAMi",
                                            .register_key = "hami.io/node-nvidia-register",
                                            .count = "nvidia.com/gpu",
                                            .memory = "nvidia.com/gpumem",
                                            .cores = "nvidia.com/gpucores"},
                                           {.name = "Volcano",
                                            .register_key = "volcano.sh/node-vgpu-register",
                                            .count = "volcano.sh/vgpu-number",
                                            .memory = "volcano.sh/vgpu-memory",
                                            .cores = "volcano.sh/vgpu-cores"}}};

struct Cards {
  std::int64_t count = 0;
  std::int64_t largest_memory = 0;  ///< MiB of the largest card; 0: unknown.
  Node node;                        ///< Where the cards are listed.
  bool is_registered = false;       ///< By the scheduler's annotation.
};

[[nodiscard]] std::optional<std::int64_t> parse_count(std::string_view text) {
  text = trim(text);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc{} && end == text.data() + text.size() && number >= 0;
  return is_whole ? std::optional(number) : std::nullopt;
}

[[nodiscard]] std::optional<Cards> parse_lines(std::string_view text) {
  Cards cards;
  while (!text.empty()) {
    std::string_view card = take_part(text, ':');
    if (trim(card).empty()) continue;
    static_cast<void>(take_part(card, ','));  // the UUID
    static_cast<void>(take_part(card, ','));  // into how many shares it is split
    const auto memory = parse_count(take_part(card, ','));
    if (!memory) return std::nullopt;
    ++cards.count;
    cards.largest_memory = std::max(cards.largest_memory, *memory);
  }
  return cards.count == 0 ? std::nullopt : std::optional(cards);
}

/// Each card has an `id`; Go omits zero values.
[[nodiscard]] std::optional<Cards> parse_json(std::string_view text) {
  constexpr std::string_view memory_key = "\"devmem\":";
  Cards cards;
  for (std::size_t at = text.find("\"id\":"); at != text.npos; at = text.find("\"id\":", at + 1)) {
    ++cards.count;
  }
  for (std::size_t at = text.find(memory_key); at != text.npos;
       at = text.find(memory_key, at + 1)) {
    const std::string_view rest = text.substr(at + memory_key.size());
    const auto memory = parse_count(rest.substr(0, rest.find_first_of(",}")));
    if (!memory) return std::nullopt;
    cards.largest_memory = std::max(cards.largest_memory, *memory);
  }
  return cards.count == 0 ? std::nullopt : std::optional(cards);
}

/// nullopt if the node has no such annotation, or one in another form.
[[nodiscard]] std::optional<Cards> registered_cards(const NodePool& pool, const Sharing& sharing) {
  const Field<std::string> written =
      read_string(pool.node.at("metadata", "annotations"), sharing.register_key);
  if (!written.is_known()) return std::nullopt;
  const std::string_view text = trim(written.value());
  auto cards = text.starts_with('[') ? parse_json(text) : parse_lines(text);
  if (!cards) return std::nullopt;
  cards->node = written.node();
  cards->is_registered = true;
  return cards;
}

/// The number of cards in the label of GPU Feature Discovery. Not for HAMi, which shares
/// `nvidia.com/gpu` itself and does not need the label.
[[nodiscard]] std::optional<Cards> labelled_cards(const NodePool& pool) {
  const PoolLabel* const label = find_label(pool, "nvidia.com/gpu.count");
  if (label == nullptr || label->values.size() != 1) return std::nullopt;
  const auto count = parse_count(label->values.front());
  return count && *count > 0 ? std::optional(Cards{.count = *count, .node = value_node(*label)})
                             : std::nullopt;
}

/// Whether the nodes offer the resource, or do not state all their resources.
[[nodiscard]] bool may_offer(const NodePool& pool, std::string_view resource) {
  const auto offered = std::ranges::find_if(
      pool.allocatable, [&](const ResourceEntry& entry) { return entry.name.value == resource; });
  if (offered != pool.allocatable.end()) {
    return !offered->amount.is_known() || !offered->amount.value().is_zero();
  }
  const bool states_all = pool.source == NodePool::Source::node && pool.resources_complete;
  return !states_all && has_accelerators(pool) != Ternary::no;
}

struct KnownCards {
  const NodePool* pool = nullptr;
  Cards cards;
};

/// The cards of all nodes that may offer the resource; empty if they are unknown for one.
[[nodiscard]] std::vector<KnownCards> all_cards(const Cluster& cluster, const Sharing& sharing) {
  std::vector<KnownCards> known;
  for (const NodePool& pool : cluster.pools) {
    const bool is_node = pool.source == NodePool::Source::node;
    auto cards = is_node ? registered_cards(pool, sharing) : std::nullopt;
    const bool is_open = !cards && may_offer(pool, sharing.count);
    if (is_open && is_node && sharing.name == "Volcano") cards = labelled_cards(pool);
    if (cards) {
      known.push_back({&pool, *std::move(cards)});
    } else if (is_open) {
      return {};
    }
  }
  return known;
}

[[nodiscard]] const ResourceEntry* find_limit(const Container& container, std::string_view name) {
  const ResourceEntry* const found = find_entry(container.resources.limits, name);
  return found != nullptr && found->amount.is_known() ? found : nullptr;
}

[[nodiscard]] std::string evidence(const KnownCards& known, const Sharing& sharing) {
  return known.cards.is_registered
             ? fmt::format("{} lists the cards of {} here", sharing.name, describe(*known.pool))
             : fmt::format("{} has this number of cards", describe(*known.pool));
}

void check_count(Obstacles& obstacles, const std::vector<KnownCards>& known, const Sharing& sharing,
                 const Container& container, const ResourceEntry& limit) {
  const auto count = [](const KnownCards& node) { return node.cards.count; };
  const KnownCards& largest = *std::ranges::max_element(known, {}, count);
  const std::int64_t wanted = limit.amount.value().value();
  const std::int64_t most = largest.cards.count;
  if (wanted <= most) return;
  const std::string cards = count_text(static_cast<std::size_t>(most), "card");
  obstacles
      .add(limit.amount.node(), "{} requests {} `{}`, but no node has more than {}",
           describe(container), wanted, limit.name.value, cards)
      .related(largest.cards.node, evidence(largest, sharing))
      .help(
          "set `{}` to at most {}, because the value counts cards, not shares of a card. Set the "
          "size of each share with `{}` and `{}`",
          limit.name.value, most, sharing.memory, sharing.cores);
}

void check_memory(Obstacles& obstacles, const std::vector<KnownCards>& known,
                  const Sharing& sharing, const Container& container, const ResourceEntry& limit) {
  const auto memory = [](const KnownCards& node) { return node.cards.largest_memory; };
  const KnownCards& largest = *std::ranges::max_element(known, {}, memory);
  const bool is_known = std::ranges::all_of(
      known, [](const KnownCards& node) { return node.cards.largest_memory > 0; });
  const std::int64_t wanted = limit.amount.value().value();
  if (!is_known || wanted <= largest.cards.largest_memory) return;
  obstacles
      .add(limit.amount.node(),
           "{} requests {} MiB of memory on one card, but the largest card has {} MiB",
           describe(container), wanted, largest.cards.largest_memory)
      .related(largest.cards.node, evidence(largest, sharing))
      .help("set `{}` to at most {}. The value is in MiB and applies to each card", sharing.memory,
            largest.cards.largest_memory);
}

/// A sharing scheduler and the known cards of a scope.
struct SharedCards {
  const Sharing* sharing;
  std::vector<KnownCards> known;
};

}  // namespace

FindObstacles make_card_gate(const ScopeModel& model) {
  std::vector<SharedCards> shared;
  for (const Sharing& sharing : sharings) {
    std::vector<KnownCards> known = all_cards(model.cluster, sharing);
    if (!known.empty()) shared.push_back({&sharing, std::move(known)});
  }
  if (shared.empty()) return no_obstacles;
  return [shared = std::move(shared), nodes = NamedNodes(model.cluster)](const Workload& workload) {
    Obstacles found(Gate::device);
    const bool is_elsewhere = nodes.is_elsewhere(workload.pod);
    if (is_elsewhere || workload.kind.equals("DaemonSet")) return std::move(found).take();
    for (const auto& [sharing, known] : shared) {
      for (const Container& container : workload.pod.containers) {
        if (const auto* count = find_limit(container, sharing->count)) {
          check_count(found, known, *sharing, container, *count);
        }
        if (const auto* memory = find_limit(container, sharing->memory)) {
          check_memory(found, known, *sharing, container, *memory);
        }
      }
    }
    return std::move(found).take();
  };
}

}  // namespace gpulint
