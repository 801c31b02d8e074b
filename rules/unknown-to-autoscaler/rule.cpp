#include "compiler/engine/rule.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/engine/reporter.h"
#include "compiler/ir/read.h"
#include "compiler/model/facts/machine_catalog.h"
#include "compiler/model/pools/pool_facts.h"
#include "compiler/model/pools/pool_fields.h"
#include "rules/support/placement_causes.h"
#include "rules/support/queries.h"
#include "rules/unknown-to-autoscaler/hint_tags.h"

namespace gpulint::rules::unknown_to_autoscaler {
namespace {

constexpr std::string_view tag_prefix = "k8s.io/cluster-autoscaler/";
constexpr std::string_view label_tag = "k8s.io/cluster-autoscaler/node-template/label/";
constexpr std::string_view gpu_label = "k8s.amazonaws.com/accelerator";

/// A self-managed eksctl group that starts without nodes. For managed groups the autoscaler reads
/// labels and taints from EKS.
[[nodiscard]] bool is_at_zero(const NodePool& pool) {
  if (pool.source != NodePool::Source::eksctl || !pool.error.empty()) return false;
  if (!pool.node.parent().key() || pool.node.parent().key().text() != "nodeGroups") return false;
  const Field<std::int64_t> wanted = read_int(pool.node, "desiredCapacity");
  return read_int(pool.node, "minSize").equals(0) && (wanted.is_absent() || wanted.equals(0));
}

[[nodiscard]] bool has_tag(const NodePool& pool, std::string_view prefix) {
  const std::vector<Node::Entry> tags = pool.node.get("tags").fields();
  return std::ranges::any_of(
      tags, [&](const Node::Entry& tag) { return tag.key.text().starts_with(prefix); });
}

[[nodiscard]] bool is_autoscaled(const NodePool& pool) {
  return has_tag(pool, tag_prefix) ||
         read_bool(pool.node.at("iam", "withAddonPolicies"), "autoScaler").equals(true);
}

/// Whether a tag of the group declares the label, for the time without nodes.
[[nodiscard]] bool is_tagged(const NodePool& pool, std::string_view label) {
  return has_tag(pool, fmt::format("{}{}", label_tag, label));
}

[[nodiscard]] bool has_gpus(const NodePool& pool) {
  const auto machines = machines_of(pool);
  return machines && std::ranges::all_of(*machines, [](const Machine* machine) {
           return machine->count("nvidia.com/gpu").value_or(0) > 0;
         });
}

/// Labels that a workload requires and the group has, but that no tag declares.
void check_labels(const Corpus& corpus, const NodePool& pool, Reporter& reporter) {
  for (const Workload& workload : corpus.workloads) {
    for (const LabelEntry& wanted : workload.pod.node_selector) {
      const PoolLabel* const label = find_label(pool, wanted.key.value);
      const bool is_own =
          label != nullptr && label->node && label->node.parent() == pool.node.get("labels");
      if (!is_own || is_tagged(pool, label->key)) continue;
      if (!wanted.value.is_known() || label->values != std::vector{wanted.value.value()}) continue;
      reporter
          .report(label->node, "{} requires the label `{}`, but no tag of {} declares this label",
                  describe(workload), label->key, describe(pool))
          .related(wanted.key.node, "this node selector requires the label")
          .help(
              "add the tag `{}{}: {}`, or set `propagateASGTags: true`. Otherwise "
              "cluster-autoscaler does not know the label while the pool is empty",
              label_tag, label->key, wanted.value.value());
    }
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  const std::vector<const Document*> tagged = documents_with(corpus, tag_prefix);
  check_taint_tags(corpus, tagged, reporter);
  check_hint_tags(corpus, tagged, reporter);
  check_gpu_limits(corpus, reporter);
  for (const NodePool& pool : corpus.cluster.pools) {
    if (!is_at_zero(pool) || !is_autoscaled(pool) || !has_gpus(pool)) continue;
    if (!find_label(pool, gpu_label) && !is_tagged(pool, gpu_label)) {
      const Node labels = pool.node.get("labels");
      const Node where = labels.is_mapping() ? labels : name_node(pool);
      reporter
          .report_span(labels.is_mapping() ? where.key_span() : where.span(), where,
                       "{} has GPUs, but not the label `{}`", describe(pool), gpu_label)
          .related(pool.machine_types.front().node, "the machine type has GPUs")
          .help(
              "set the label `{}` to the name of the GPU. Otherwise cluster-autoscaler treats each "
              "new node as a node without GPUs until the device plugin starts",
              gpu_label);
    }
    if (read_bool(pool.node, "propagateASGTags").is_absent()) check_labels(corpus, pool, reporter);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "placement",
                                          .severity = Severity::warning,
                                          .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::unknown_to_autoscaler
