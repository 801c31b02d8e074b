#include "rules/support/machines.h"

#include <fmt/format.h>

#include "compiler/model/facts/product_label.h"
#include "compiler/model/pools/aks_pools.h"
#include "compiler/model/pools/karpenter_machines.h"
#include "compiler/schedule/pool_accelerators.h"
#include "compiler/schedule/pool_machines.h"
#include "compiler/schedule/terms.h"
#include "rules/support/placement_causes.h"

namespace gpulint::rules {

std::string list_machines(const NodePool& pool) {
  if (pool.source == NodePool::Source::node) return {};
  const auto machines = known_machines(pool);
  return machines ? gpulint::describe(*machines, pool.machine_types) : std::string();
}

std::string describe_machines(const NodePool& pool, std::string_view resource,
                              std::int64_t amount) {
  if (pool.source == NodePool::Source::node) return {};
  const auto machines = known_machines(pool);
  if (!machines || most_of(*machines, resource, false) != amount) return {};
  const bool is_one = machines->size() == 1;
  const std::string has = amount == 0 ? fmt::format("{} no `{}`", is_one ? "has" : "have", resource)
                                      : fmt::format("{} {}", is_one ? "has" : "have at most",
                                                    amount_text(resource, amount));
  return fmt::format("machine type{} {} of {} {}", is_one ? "" : "s", list_machines(pool),
                     describe(pool), has);
}

bool relate_machines(Finding& finding, const Cause& cause, std::string_view resource) {
  if (cause.other || cause.pool->source == NodePool::Source::node) return false;
  const Node place = offer_node(*cause.pool, resource);
  if (!place || place == cause.pool->node) return false;
  const std::string pool = describe(*cause.pool);
  if (place == aks_gpu_profile(*cause.pool)) {
    finding.related(place, fmt::format("AKS partitions the GPUs of {} with this profile", pool));
    return false;
  }
  const std::string machines = describe_machines(*cause.pool, resource, 0);
  finding.related(place, machines.empty()
                             ? fmt::format("the machines of {} do not offer `{}`", pool, resource)
                             : machines);
  return true;
}

namespace {

void explain_label(Finding& finding, const PoolLabel& label) {
  if (lacks_driver(label)) {
    finding.related(value_node(label),
                    "GKE installs no driver on this node, so the node offers no GPU");
    if (finding.has_help()) return;
    finding.help(
        "install the driver on the nodes of the pool, or create the pool again with "
        "`gpu-driver-version=default`");
  } else if (label.key == product_label && !label.values.empty() &&
             label.values.front().ends_with("-MIG-INVALID")) {
    finding.related(value_node(label),
                    "the MIG layout of this node does not fit the MIG strategy `single`");
    if (finding.has_help()) return;
    finding.help(
        "set `nvidia.com/mig.config` to a layout with the same partitions of one profile on every "
        "GPU. Or use the MIG strategy `mixed`");
  }
}

}  // namespace

void explain_idle_nodes(Finding& finding, const Corpus& corpus, std::string_view resource) {
  constexpr std::size_t most = 3;
  std::size_t idle = 0;
  for (const NodePool& pool : corpus.cluster.pools) {
    if (pool.source != NodePool::Source::node || idle == most) continue;
    if (has_accelerators(pool) != Ternary::yes) continue;
    for (const ResourceEntry& entry : pool.allocatable) {
      const bool is_zero = entry.amount.is_known() && entry.amount.value().is_zero();
      if (entry.name.value != resource || !is_zero || !entry.amount.node()) continue;
      finding.related(entry.amount.node(),
                      fmt::format("{} offers no `{}`", describe(pool), resource));
      ++idle;
      if (finding.has_help()) continue;
      finding.help(
          "read the log of the device plugin on {}, because the plugin finds no healthy device "
          "there",
          describe(pool));
    }
    for (const PoolLabel& label : pool.labels) explain_label(finding, label);
  }
}

}  // namespace gpulint::rules
