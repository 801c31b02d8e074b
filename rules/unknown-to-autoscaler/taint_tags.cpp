#include "rules/unknown-to-autoscaler/taint_tags.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/ir/read.h"
#include "compiler/model/machine_catalog.h"
#include "rules/support/causes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::unknown_to_autoscaler {
namespace {

constexpr std::string_view taint_tag = "k8s.io/cluster-autoscaler/node-template/taint/";

struct TaintTag {
  std::string_view key;  ///< Of the taint.
  Node value;            ///< Of the tag.
};

/// `VALUE:EFFECT`.
struct TaintText {
  std::string_view value;
  std::string_view effect;
};

[[nodiscard]] std::optional<TaintText> parse(std::string_view text) {
  constexpr auto effects =
      std::to_array<std::string_view>({":NoSchedule", ":NoExecute", ":PreferNoSchedule"});
  const bool is_read = std::ranges::any_of(
      effects, [&](std::string_view effect) { return text.find(effect) != text.npos; });
  if (!is_read) return std::nullopt;
  const std::size_t colon = text.find(':');
  return TaintText{text.substr(0, colon), text.substr(colon + 1)};
}

/// The tag that a mapping's entry is, or a pair of key and value.
[[nodiscard]] std::optional<TaintTag> read_tag(Node at) {
  Node value;
  std::string_view key;
  if (at.is_scalar() && at.text().starts_with(taint_tag) && at.value()) {
    key = at.text();
    value = at.value().resolved();
  } else if (at.is_mapping()) {
    for (const auto& [name, beside] : {std::pair{"Key", "Value"}, std::pair{"key", "value"}}) {
      if (!at.get(name).text().starts_with(taint_tag)) continue;
      key = at.get(name).text();
      value = at.get(beside);
    }
  }
  if (!value.is_scalar() || value.is_opaque()) return std::nullopt;
  return TaintTag{key.substr(taint_tag.size()), value};
}

void report_unread(Reporter& reporter, const TaintTag& tag) {
  reporter
      .report(tag.value, "cluster-autoscaler reads no taint from `{}`: it wants `VALUE:EFFECT`",
              tag.value.text())
      .help(
          "while the group has no node it takes it for one without the taint `{}`: write "
          "`true:NoSchedule`, or `:NoSchedule` for a taint without a value",
          tag.key);
}

[[nodiscard]] bool has_gpus(const NodePool& pool) {
  const auto machines = machines_of(pool);
  return machines && std::ranges::any_of(*machines, [](const Machine* machine) {
           return !machine->accelerators.empty();
         });
}

/// Whether nodes may be tainted by what is not read here.
[[nodiscard]] bool may_taint_otherwise(Node group) {
  return group.get("overrideBootstrapCommand") || group.get("preBootstrapCommands") ||
         group.get("kubeletExtraConfig") || group.get("taints").is_opaque();
}

[[nodiscard]] const Taint* find_taint(const NodePool& pool, std::string_view key) {
  const auto found = std::ranges::find_if(
      pool.taints, [&](const Taint& taint) { return taint.key.value_or("") == key; });
  return found == pool.taints.end() ? nullptr : &*found;
}

void check_group(const NodePool& pool, Reporter& reporter) {
  if (may_taint_otherwise(pool.node) || !read_int(pool.node, "minSize").equals(0)) return;
  const bool is_open = std::ranges::any_of(pool.taints, [](const Taint& taint) {
    return !taint.key.is_known() || taint.value.is_opaque();
  });
  if (is_open) return;
  for (const Node::Entry& entry : pool.node.get("tags").fields()) {
    const auto tag = read_tag(entry.key);
    const auto told = tag ? parse(tag->value.text()) : std::nullopt;
    if (!told) continue;
    const Taint* const taint = find_taint(pool, tag->key);
    const bool is_same =
        taint != nullptr &&
        (!taint->value.is_known() || !taint->effect.is_known() ||
         (taint->value.value() == told->value && taint->effect.value() == told->effect));
    if (is_same || (taint != nullptr && taint->value.is_absent() && told->value.empty())) continue;
    reporter
        .report(tag->value,
                "cluster-autoscaler takes nodes of {} to have the taint `{}={}`, and they do not",
                describe(pool), tag->key, tag->value.text())
        .related(taint != nullptr ? taint->node : name_node(pool),
                 taint != nullptr ? "the taint that they have" : "the group")
        .help(
            "while it has no node, a pod that does not tolerate this taint never makes it grow: "
            "say "
            "in the tag what stands in `taints`");
  }
}

}  // namespace

void check_taint_tags(const Corpus& corpus, const std::vector<const Document*>& tagged,
                      Reporter& reporter) {
  for (const Document* document : tagged) {
    walk(root(*document), [&](Node at) {
      const auto tag = read_tag(at);
      if (tag && mentions_gpu(tag->key) && !parse(tag->value.text())) report_unread(reporter, *tag);
    });
  }
  for (const NodePool& pool : corpus.cluster.pools) {
    const bool is_group = pool.source == NodePool::Source::eksctl && pool.error.empty();
    if (is_group && has_gpus(pool)) check_group(pool, reporter);
  }
}

}  // namespace gpulint::rules::unknown_to_autoscaler
