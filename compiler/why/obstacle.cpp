#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/shell_word.h"
#include "compiler/generate/label_advice.h"
#include "compiler/generate/trial.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/facts/provider_catalog.h"
#include "compiler/model/pools/karpenter_pool.h"
#include "compiler/schedule/best_fit.h"
#include "compiler/schedule/gpu_daemon.h"
#include "compiler/why/devices.h"
#include "compiler/why/groups.h"
#include "compiler/why/nodes_as.h"
#include "compiler/why/pool_names.h"
#include "compiler/why/try_change.h"
#include "compiler/why/ways.h"

namespace gpulint::why {
namespace {

constexpr std::size_t most_devices = 4;

[[nodiscard]] std::string obstacle_of_mixed(const Subject& subject, const NodePool& pool,
                                            const AcceleratorDemand& demand) {
  const bool is_v2 = subject.release->propeller.version == FlyteVersion::v2;
  const std::string offered = fmt::format("{}", fmt::join(offered_accelerators(pool), ", "));
  const std::string requested = generate::gpu_resource_of(subject.prepared());
  return fmt::format(
      "with MIG strategy `mixed`, {} offers partitions as separate resources ({}), but Flyte {} "
      "requests `{}` for {}: {}",
      name_of(pool), offered, is_v2 ? 2 : 1, requested,
      demand.partition.empty() ? "the task" : fmt::format("a partition of `{}`", demand.device),
      is_v2 ? "`gpu-resource-name` or a device class must name the partition's resource"
            : "no accelerator of a task can request them");
}

[[nodiscard]] std::string obstacle_of_partition(const NodePool& pool,
                                                const AcceleratorDemand& demand) {
  const std::string size = partition_size_of(pool);
  if (partitioning_of(pool) == Partitioning::none) {
    return fmt::format("{} has whole GPUs, but the task requests the partition `{}`", name_of(pool),
                       demand.partition);
  }
  if (size.empty() || size == demand.partition) return {};
  return fmt::format("the GPUs of {} are partitioned into `{}`, but the task requests `{}`",
                     name_of(pool), size, demand.partition);
}

[[nodiscard]] std::string obstacle_of_label(const Subject& subject, const FailedTerm& failed,
                                            const NodePool& pool) {
  const Term& term = failed.term;
  const std::string demanded = demand_text(term);
  if (failed.is_reserved) {
    return fmt::format(
        "the label `{}` is reserved, and Karpenter rejects pods that select it; select a pool with "
        "`karpenter.sh/nodepool`",
        term.key);
  }
  if (term.actual.has_value()) {
    return fmt::format("`{}` is required, but {} has `{}`", demanded, name_of(pool), *term.actual);
  }
  if (term.key.empty()) return "a node affinity term without requirements matches no node";
  const std::string_view owner = generate::owner_of_label(term.key);
  const std::string_view provider = provider_name(subject.cluster().provider);
  if (!provider.empty() && !can_carry(provider, term.key)) {
    return fmt::format("`{}` is required, but {} nodes never have the label `{}`", demanded,
                       provider, term.key);
  }
  return owner.empty()
             ? fmt::format("no node has the label `{}`; you have to set it yourself", demanded)
             : fmt::format("no node has the label `{}`, which {} sets", demanded, owner);
}

/// A device plugin among the workloads that itself fits no node; may be empty.
[[nodiscard]] std::string obstacle_of_plugin(const Subject& subject, std::string_view resource) {
  const Placement& placement = *subject.placement;
  for (std::size_t w = 0; w < placement.workloads().size(); ++w) {
    const Workload& other = *placement.workloads()[w];
    const auto daemon = find_gpu_daemon(other);
    if (!daemon || daemon->role != GpuDaemonRole::device_plugin || w == subject.workload) continue;
    const bool offers_it = daemon->vendor.empty() || resource.starts_with(daemon->vendor);
    if (!offers_it || best_fit(placement, w) != Ternary::no) continue;
    return fmt::format(
        "no node offers `{}`, because its device plugin fits no node: see `gpulint why --workload "
        "{}`",
        resource, shell_word(other.display_name()));
  }
  return {};
}

[[nodiscard]] std::string obstacle_of_amount(const Subject& subject, const FailedTerm& failed,
                                             const NodePool& pool) {
  const Term& term = failed.term;
  if (term.actual.value_or("0") != "0") {
    return fmt::format("the pod requests {} `{}`, but {} has {} {}", fmt::join(term.values, ""),
                       term.key, name_of(pool), *term.actual,
                       term.remark.empty() ? "in total" : term.remark);
  }
  if (is_gpu_resource(term.key)) {
    if (std::string text = obstacle_of_plugin(subject, term.key); !text.empty()) return text;
  }
  const std::string remark = failed.remark.empty() ? "" : fmt::format(" ({})", failed.remark);
  return fmt::format("{} offers no `{}`{}", name_of(pool), term.key, remark);
}

/// All nodes have other devices; may be empty.
[[nodiscard]] std::string obstacle_of_device(const std::vector<Group>& groups) {
  std::string demanded;
  std::set<std::string> carried;
  for (const Group& group : groups) {
    for (const FailedTerm& failed : group.terms) {
      const bool is_label = failed.term.op == "In";
      if (!failed.is_fixed || group.lacks_device || !is_label) continue;
      const Term& term = failed.term;
      if (demanded.empty()) demanded = demand_text(term);
      if (carried.size() == most_devices) continue;
      carried.insert(term.actual ? *term.actual
                                 : other_device(*group.pools.front(), term.values.front()));
    }
  }
  if (demanded.empty()) return {};
  return fmt::format(
      "no node in these files has this device: `{}` is required, the nodes have `{}`", demanded,
      fmt::join(carried, "`, `"));
}

/// That a node is cordoned, or why Karpenter creates no node for a pool.
[[nodiscard]] std::string obstacle_of_state(const NodePool& pool, const Term& term) {
  if (term.remark.empty()) return fmt::format("{} is cordoned", name_of(pool));
  return fmt::format("Karpenter creates no node for {}: {}", name_of(pool), term.remark);
}

[[nodiscard]] std::string obstacle_of(const Subject& subject, const FailedTerm& failed,
                                      const NodePool& pool) {
  switch (failed.term.kind) {
    case ReasonKind::insufficient_resource:
      return obstacle_of_amount(subject, failed, pool);
    case ReasonKind::node_affinity:
    case ReasonKind::node_selector:
      return obstacle_of_label(subject, failed, pool);
    case ReasonKind::node_affinity_error:
      return "its node affinity has a term that the scheduler cannot parse";
    case ReasonKind::unschedulable:
      return obstacle_of_state(pool, failed.term);
    case ReasonKind::unallocated_claims:
      return fmt::format("{} does not have the devices of the claims: {}", name_of(pool),
                         failed.term.key);
    case ReasonKind::untolerated_taint:
      return fmt::format("{} has the taint `{}`", name_of(pool), taint_text(failed.term));
  }
  return {};
}

}  // namespace

std::string find_obstacle(const Subject& subject, const std::vector<Group>& groups) {
  const AcceleratorDemand demand = accelerator_demand(subject);
  for (const Group* group : worth_trying(groups)) {
    const NodePool& pool = *group->pools.front();
    if (!demand.device.empty() && !may_have_device(*group, demand.device)) continue;
    if (!demand.partition.empty()) {
      if (partitioning_of(pool) == Partitioning::mixed) {
        return obstacle_of_mixed(subject, pool, demand);
      }
      if (std::string text = obstacle_of_partition(pool, demand); !text.empty()) return text;
    }
    if (group->terms.empty() || group->terms.back().is_fixed) continue;
    return obstacle_of(subject, group->terms.back(), pool);
  }
  if (std::string text = obstacle_of_device(groups); !text.empty()) return text;
  const std::string resource = generate::gpu_resource_of(subject.prepared());
  if (resource.empty()) return {};
  if (std::string text = obstacle_of_plugin(subject, resource); !text.empty()) return text;
  return fmt::format("no node in these files has a device that offers `{}`", resource);
}

}  // namespace gpulint::why
