#include "compiler/engine/rule.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/engine/reporter.h"
#include "compiler/schedule/placement_analysis.h"
#include "compiler/schedule/pool_accelerators.h"
#include "rules/exceeds-hami-cards/hami_node.h"
#include "rules/exceeds-hami-cards/volcano_cards.h"
#include "rules/support/causes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::exceeds_hami_cards {
namespace {

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

void check_count(Reporter& reporter, const std::vector<KnownCards>& known,
                 const Container& container, const ResourceEntry& limit) {
  const auto cards = [](const KnownCards& node) { return node.cards.cards; };
  const KnownCards& largest = *std::ranges::max_element(known, {}, cards);
  const std::int64_t wanted = limit.amount.value().value();
  if (wanted <= largest.cards.cards) return;
  reporter
      .report(limit.amount.node(), "{} wants {} of `{}` and no node has more than {} card{}",
              describe(container), wanted, limit.name.value, largest.cards.cards,
              largest.cards.cards == 1 ? "" : "s")
      .related(largest.cards.node, fmt::format("what HAMi tells of {}", describe(*largest.pool)))
      .help(
          "under HAMi a node offers shares of its cards, and a container gets each of its "
          "devices from another physical card: ask for at most {}, and for its size by "
          "`nvidia.com/gpumem` and `nvidia.com/gpucores`",
          largest.cards.cards);
}

void check_memory(Reporter& reporter, const std::vector<KnownCards>& known,
                  const Container& container, const ResourceEntry& limit) {
  const auto memory = [](const KnownCards& node) { return node.cards.largest_memory; };
  const KnownCards& largest = *std::ranges::max_element(known, {}, memory);
  const std::int64_t wanted = limit.amount.value().value();
  if (wanted <= largest.cards.largest_memory || largest.cards.largest_memory == 0) return;
  reporter
      .report(limit.amount.node(), "{} wants {} MiB of one card and the largest has {}",
              describe(container), wanted, largest.cards.largest_memory)
      .related(largest.cards.node, fmt::format("what HAMi tells of {}", describe(*largest.pool)))
      .help("`nvidia.com/gpumem` counts MiB of each card: HAMi finds none that is large enough");
}

void check(const Corpus& corpus, Reporter& reporter) {
  check_volcano_cards(corpus, reporter);
  const std::vector<KnownCards> known = all_cards(corpus.cluster);
  if (known.empty()) return;
  for (const Workload& workload : corpus.workloads) {
    if (is_node_agent(workload)) continue;
    for (const Container& container : workload.pod.containers) {
      if (const auto* count = find_limit(container, "nvidia.com/gpu")) {
        check_count(reporter, known, container, *count);
      }
      if (const auto* memory = find_limit(container, "nvidia.com/gpumem")) {
        check_memory(reporter, known, container, *memory);
      }
    }
  }
}

}  // namespace

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "exceeds-hami-cards",
             .category = "placement",
             .summary = "A container wants more cards, or more of one, than any node has under "
                        "HAMi or Volcano.",
             .severity = Severity::error,
             .fix = FixAvailability::none},
    .check = check};

}  // namespace gpulint::rules::exceeds_hami_cards
