#include "compiler/engine/rule.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "compiler/schedule/gpu_relation.h"
#include "compiler/schedule/tolerate.h"
#include "rules/support/placement_causes.h"

namespace gpulint::rules::unguarded_gpu_nodes {
namespace {

[[nodiscard]] const Taint* find_gpu_taint(const NodePool& pool) {
  const auto found = std::ranges::find_if(pool.taints, [](const Taint& taint) {
    return is_hard(taint) == Ternary::yes &&
           is_gpu_taint(taint.key.value_or(""), taint.value.value_or(""));
  });
  return found == pool.taints.end() ? nullptr : &*found;
}

/// Whether the pool certainly has no taint that rejects ordinary pods.
[[nodiscard]] bool is_unguarded(const NodePool& pool) {
  return pool.taints_complete && pool.provider_taints.empty() && pool.error.empty() &&
         std::ranges::all_of(pool.taints, [](const Taint& taint) {
           return is_hard(taint) == Ternary::no ||
                  taint.key.value_or("").starts_with("node.kubernetes.io/");
         });
}

/// One finding per file: its nodes are corrected together.
void report(const std::vector<const NodePool*>& unguarded, const NodePool& guarded,
            const Taint& guard, Reporter& reporter) {
  const NodePool& first = *unguarded.front();
  Finding finding = reporter.report(
      name_node(first),
      "GPU {} has no taint that rejects pods, but other GPU nodes have the taint `{}`",
      describe(first), to_string(guard));
  finding.related(guard.node, fmt::format("the taint of {}", describe(guarded)))
      .help("add the taint. Otherwise pods without a GPU request can use up the CPU and memory");
  for (std::size_t i = 1; i < unguarded.size(); ++i) {
    finding.related(name_node(*unguarded[i]),
                    fmt::format("{} also has no such taint", describe(*unguarded[i])));
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  if (corpus.placement == nullptr || !corpus.placement->nodes) return;
  const KnownNodes& nodes = *corpus.placement->nodes;
  const NodePool* guarded = nullptr;
  const Taint* guard = nullptr;
  std::map<FileId, std::vector<const NodePool*>> unguarded;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes.has_accelerators(i) != Ternary::yes) continue;
    for (const NodePool* pool : nodes.members(i)) {
      const Taint* const taint = find_gpu_taint(*pool);
      if (taint != nullptr && guard == nullptr) {
        guard = taint;
        guarded = pool;
      }
      if (is_unguarded(*pool)) unguarded[name_node(*pool).span().file].push_back(pool);
    }
  }
  if (guard == nullptr) return;
  for (const auto& [file, pools] : unguarded) report(pools, *guarded, *guard, reporter);
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "placement", .severity = Severity::info, .state = RuleState::preview},
    .check = check};

}  // namespace gpulint::rules::unguarded_gpu_nodes
