#include "rules/support/shared_causes.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rules/support/causes.h"

namespace gpulint::rules {
namespace {

/// What makes two causes one, beside the nodes' line; empty where they are never one.
[[nodiscard]] std::string detail_of(const Cause& cause) {
  if (const auto* const unmatched = std::get_if<UnmatchedRequirement>(&cause.what)) {
    return fmt::format("{} {} {} {}={}", static_cast<int>(unmatched->half),
                       requirement_text(*unmatched), unmatched->op, unmatched->suggested_key,
                       unmatched->suggested_value);
  }
  if (const auto* const taint = std::get_if<UntoleratedTaint>(&cause.what)) {
    return fmt::format("{} {} {} {}", taint_text(*taint), static_cast<int>(taint->miss),
                       taint->near.value.value_or(""), taint->near.effect.value_or(""));
  }
  return {};
}

/// What of the label misses, or the taint, if the line at `other` is of no other node; else
/// nothing.
[[nodiscard]] Node line_of_one_node(const Corpus& corpus, const Cause& cause) {
  const auto is_only = [&](auto has_line) {
    return std::ranges::count_if(corpus.cluster.pools, has_line) == 1;
  };
  for (const PoolLabel& label : cause.pool->labels) {
    if (label.node != cause.other) continue;
    const auto is_same = [&](const PoolLabel& other) {
      return other.key == label.key && other.values == label.values;
    };
    const auto has_line = [&](const NodePool& pool) {
      return std::ranges::any_of(pool.labels, is_same);
    };
    if (!is_only(has_line)) return {};
    const auto* const unmatched = std::get_if<UnmatchedRequirement>(&cause.what);
    const bool is_key = unmatched != nullptr && unmatched->half == UnmatchedRequirement::Half::key;
    return is_key ? label.node : value_node(label);
  }
  const auto* const taint = std::get_if<UntoleratedTaint>(&cause.what);
  if (taint == nullptr) return {};
  const auto has_line = [&](const NodePool& pool) {
    return std::ranges::any_of(pool.taints, [&](const Taint& other) {
      return other.key.equals(taint->key) && other.value.value_or("") == taint->value &&
             other.effect.equals(taint->effect);
    });
  };
  return is_only(has_line) ? cause.other : Node{};
}

[[nodiscard]] bool may_share(const Cause& cause) {
  return cause.other && cause.workloads.front()->origin != Workload::Origin::compiled;
}

}  // namespace

std::vector<SharedCause> share_causes(const Corpus& corpus,
                                      const std::vector<const Cause*>& causes) {
  std::vector<SharedCause> shared;
  std::map<std::pair<Span, std::string>, std::size_t> index;
  for (const Cause* const cause : causes) {
    const std::string detail = may_share(*cause) ? detail_of(*cause) : "";
    if (!detail.empty()) {
      const auto [at, is_new] = index.try_emplace({cause->other.span(), detail}, shared.size());
      if (!is_new) {
        SharedCause& first = shared[at->second];
        first.parts.push_back(cause);
        first.cause.workloads.insert(first.cause.workloads.end(), cause->workloads.begin(),
                                     cause->workloads.end());
        first.cause.is_fix_verified = first.cause.is_fix_verified && cause->is_fix_verified;
        continue;
      }
    }
    shared.push_back({*cause, {cause}});
  }
  for (SharedCause& each : shared) {
    const Node line = each.parts.size() > 1 ? line_of_one_node(corpus, each.cause) : Node{};
    if (!line) continue;
    each.is_at_node = true;
    each.cause.where = line.span();
    each.cause.blame = line;
  }
  return shared;
}

}  // namespace gpulint::rules
