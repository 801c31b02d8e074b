#include "rules/unknown-to-autoscaler/hint_tags.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/ir/read.h"
#include "compiler/model/facts/machine_catalog.h"
#include "compiler/model/pools/pool_facts.h"
#include "compiler/model/read_pod.h"
#include "compiler/schedule/pool_machines.h"
#include "compiler/schedule/virtual_resources.h"
#include "rules/support/placement_causes.h"
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

/// Reads a tag from a mapping's entry, or from a pair of `Key` and `Value`.
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
      .report(tag.value,
              "cluster-autoscaler ignores this taint tag, because `{}` does not have the form "
              "`VALUE:EFFECT`",
              tag.value.text())
      .help(
          "write `:NoSchedule`, or `true:NoSchedule` if the taint has the value `true`. Otherwise "
          "cluster-autoscaler does not know the taint `{}` of an empty node group",
          tag.key);
}

[[nodiscard]] bool has_gpus(const NodePool& pool) {
  const auto machines = machines_of(pool);
  return machines && std::ranges::any_of(*machines, [](const Machine* machine) {
           return !machine->accelerators.empty();
         });
}

/// Whether settings that are not read here may taint the nodes.
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
    const std::string action =
        taint == nullptr ? std::string("remove the tag, or add the taint to `taints`")
                         : fmt::format("set the tag to `{}:{}`, as in `taints`",
                                       taint->value.value_or(""), taint->effect.value_or(""));
    reporter
        .report(tag->value,
                "a tag declares the taint `{}={}`, but nodes of {} do not have this taint",
                tag->key, tag->value.text(), describe(pool))
        .related(taint != nullptr ? taint->node : name_node(pool),
                 taint != nullptr ? "the nodes have this taint instead"
                                  : "the nodes of this pool do not have the taint")
        .help(
            "{}. Otherwise cluster-autoscaler scales the empty pool only for pods that tolerate "
            "the declared taint",
            action);
  }
}

constexpr std::string_view template_tag = "k8s.io/cluster-autoscaler/node-template/";

constexpr auto tag_kinds =
    std::to_array<std::string_view>({"label", "taint", "resources", "autoscaling-options"});

constexpr std::string_view resource_kind = "resources/";

constexpr std::string_view label_kind = "label/";

constexpr std::string_view gpu = "nvidia.com/gpu";

/// The name of a tag: a key, or the value of `Key` next to a `Value`.
[[nodiscard]] bool is_tag_name(Node at) {
  if (!at.is_scalar() || at.is_opaque() || !at.text().starts_with(template_tag)) return false;
  const std::string_view role = at.key() ? at.key().text() : std::string_view{};
  return at.value() || role == "Key" || role == "key";
}

/// A misspelt kind of tag.
void check_kind(const Corpus& corpus, Node at, Reporter& reporter) {
  if (!is_tag_name(at)) return;
  const std::string_view rest = at.text().substr(template_tag.size());
  const std::string_view kind = rest.substr(0, rest.find('/'));
  if (kind.size() == rest.size() || is_listed(tag_kinds, kind) || !mentions_gpu(rest)) return;
  const auto meant = nearest(kind, tag_kinds);
  if (!meant) return;
  const std::string name = fmt::format("{}{}{}", template_tag, *meant, rest.substr(kind.size()));
  reporter
      .report(at,
              "cluster-autoscaler ignores this tag, because `node-template/{}/` is not a known "
              "prefix",
              kind)
      .help("use one of `{}` after `node-template/`", fmt::join(tag_kinds, "`, `"))
      .fix(Safety::unsafe, fmt::format("replace `{}` with `{}`", kind, *meant),
           replace_string(*corpus.sources, at, name));
}

[[nodiscard]] Node tags_of(const NodePool& pool) {
  if (pool.source == NodePool::Source::eksctl) return pool.node.get("tags");
  return pool.source == NodePool::Source::kops ? pool.node.at("spec", "cloudLabels") : Node{};
}

[[nodiscard]] bool shares_devices(const Corpus& corpus, const NodePool& pool) {
  return may_share_devices(pool) || virtual_resources(corpus).contains(shared_devices);
}

/// Such a group has nodes, which the autoscaler reads instead of the tags.
[[nodiscard]] bool begins_with_nodes(const NodePool& pool) {
  const bool is_kops = pool.source == NodePool::Source::kops;
  const auto least = read_int(is_kops ? pool.node.get("spec") : pool.node, "minSize");
  return least.is_known() && least.value() > 0;
}

/// More GPUs than the group's machines have: the group grows for pods that then fit no node of it.
void check_amount(const Corpus& corpus, const NodePool& pool, const Node::Entry& tag,
                  Reporter& reporter) {
  const Field<Quantity> told = read_quantity(tag.value);
  const auto machines = machines_of(pool);
  if (!told.is_known() || !machines) return;
  std::int64_t most = 0;
  for (const Machine* machine : *machines) {
    const auto count = machine->count(gpu);
    if (!count) return;
    most = std::max(most, *count);
  }
  if (told.value().value() <= most || shares_devices(corpus, pool)) return;
  reporter
      .report(tag.value, "a tag of {} declares {} `{}`, but the pool's machines have only {}",
              describe(pool), tag.value.text(), gpu, most)
      .related(machines_node(pool), "the machine type of the pool has fewer GPUs")
      .help(
          "set the tag to {}, or remove the tag. Otherwise cluster-autoscaler scales up the empty "
          "pool for pods that do not fit the new nodes",
          most);
}

/// Another value than eksctl sets on the nodes.
void check_label(const NodePool& pool, const Node::Entry& tag, Reporter& reporter) {
  const std::string_view key = tag.key.text().substr(template_tag.size() + label_kind.size());
  const Field<std::string> own = read_string(pool.node.get("labels"), key);
  const Field<std::string> told = read_string(tag.value);
  if (!own.is_known() || !told.is_known() || own.value() == told.value()) return;
  reporter
      .report(tag.value,
              "a tag of {} declares the label `{}={}`, but the nodes have the value `{}`",
              describe(pool), key, told.value(), own.value())
      .related(own.node(), "the nodes receive this value")
      .help(
          "set the tag to `{1}`. Otherwise cluster-autoscaler does not scale up the empty pool for "
          "pods that select `{0}={1}`",
          key, own.value());
}

void check_tags(const Corpus& corpus, const NodePool& pool, Reporter& reporter) {
  if (begins_with_nodes(pool)) return;
  for (const Node::Entry& tag : tags_of(pool).fields()) {
    const std::string_view name = tag.key.text();
    if (!name.starts_with(template_tag) || !tag.value.is_scalar() || tag.value.is_opaque())
      continue;
    const std::string_view rest = name.substr(template_tag.size());
    if (rest.starts_with(resource_kind) && rest.substr(resource_kind.size()) == gpu) {
      check_amount(corpus, pool, tag, reporter);
    }
    const bool is_label = rest.starts_with(label_kind) && pool.source == NodePool::Source::eksctl;
    if (is_label && mentions_gpu(rest)) check_label(pool, tag, reporter);
  }
}

/// The GPU label of OpenShift's machines; null if they have none.
[[nodiscard]] const PoolLabel* accelerator_label(const NodePool& pool) {
  const auto found = std::ranges::find_if(pool.labels, [](const PoolLabel& label) {
    return label.key == "cluster-api/accelerator" && label.known == PoolLabel::Known::exact;
  });
  return found == pool.labels.end() ? nullptr : &*found;
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

void check_hint_tags(const Corpus& corpus, const std::vector<const Document*>& tagged,
                     Reporter& reporter) {
  for (const Document* document : tagged) {
    walk(root(*document), [&](Node at) { check_kind(corpus, at, reporter); });
  }
  for (const NodePool& pool : corpus.cluster.pools) {
    if (pool.error.empty() && tags_of(pool).is_mapping()) check_tags(corpus, pool, reporter);
  }
}

void check_gpu_limits(const Corpus& corpus, Reporter& reporter) {
  std::vector<const PoolLabel*> labels;
  for (const NodePool& pool : corpus.cluster.pools) {
    if (pool.source != NodePool::Source::machine_api) continue;
    if (const PoolLabel* const label = accelerator_label(pool)) labels.push_back(label);
  }
  if (labels.empty()) return;
  for (const KubernetesObject& object : corpus.objects) {
    const bool is_openshifts =
        object.api_version.value_or("").starts_with("autoscaling.openshift.io/");
    if (!is_openshifts || !object.kind.equals("ClusterAutoscaler")) continue;
    for (const Node limit : object.node.at("spec", "resourceLimits", "gpus").items()) {
      const Field<std::string> type = read_string(limit, "type");
      const bool is_there = std::ranges::any_of(labels, [&](const PoolLabel* label) {
        return !type.is_known() || label->values.empty() || label->values.front() == type.value();
      });
      if (is_there) continue;
      Finding finding = reporter.report(
          type.node(),
          "this limit is for the label `cluster-api/accelerator={}`, but no MachineSet has this "
          "label",
          type.value());
      finding.related(value_node(*labels.front()), "a MachineSet has this label value instead")
          .help(
              "set `type` to the label value of a MachineSet, such as `{}`. Otherwise the limit "
              "has no effect",
              labels.front()->values.front());
    }
  }
}

}  // namespace gpulint::rules::unknown_to_autoscaler
