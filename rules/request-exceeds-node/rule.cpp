#include "compiler/engine/rule.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/schedule/karpenter_machine_fit.h"
#include "compiler/schedule/pod_requests.h"
#include "compiler/schedule/pool_machines.h"
#include "compiler/schedule/pool_size.h"
#include "compiler/schedule/terms.h"
#include "rules/support/machines.h"
#include "rules/support/placement_causes.h"

namespace gpulint::rules::request_exceeds_node {
namespace {

/// The total of the machine: a pod can receive at most one unit less (pool_machines.h).
[[nodiscard]] std::int64_t in_all(const Cause& cause, const ExceededAmount& exceeded) {
  return machine_bound(*cause.pool, exceeded.name, exceeded.offered).value_or(exceeded.offered);
}

/// ``node `gpu-1` has 2 `nvidia.com/gpu` ``; what the remark says is subtracted.
[[nodiscard]] std::string supply_text(const Cause& cause, const ExceededAmount& exceeded) {
  const bool is_node = cause.pool->source == NodePool::Source::node;
  return fmt::format("{}{} has {}{} `{}`{}{}", is_node ? "" : "a matching node of ",
                     describe(*cause.pool), is_node ? "" : "at most ",
                     amount_text(exceeded.name, in_all(cause, exceeded)), exceeded.name,
                     exceeded.remark.empty() ? "" : " ", exceeded.remark);
}

[[nodiscard]] Finding report(const Cause& cause, const ExceededAmount& exceeded,
                             Reporter& reporter) {
  const std::string requested = amount_text(exceeded.name, exceeded.requested);
  const std::string offered = amount_text(exceeded.name, in_all(cause, exceeded));
  const std::string workloads = describe(cause);
  const std::string_view left = exceeded.remark.empty() ? "" : " left";
  if (requested == offered) {
    return reporter.report_span(cause.where, cause.demand,
                                "{} requests {} `{}`, the full amount {} the largest matching "
                                "node, but the kubelet reserves "
                                "a part of it",
                                workloads, requested, exceeded.name,
                                left.empty() ? "of" : "left on");
  }
  return reporter.report_span(cause.where, cause.demand,
                              "{} requests {} `{}`, but the largest matching node has {}{}",
                              workloads, requested, exceeded.name, offered, left);
}

/// Names the containers that run at the same time and together request too much.
void relate_containers(Finding& finding, const ExceededAmount& exceeded, const PodSpec& pod) {
  struct Part {
    const Container* container;
    Node where;
    std::int64_t amount;
  };
  std::vector<Part> parts;
  std::int64_t sum = 0;
  for (const Container& container : pod.containers) {
    if (container.kind != ContainerKind::main && container.kind != ContainerKind::sidecar) continue;
    for (const ResourceEntry& entry : defaulted_requests(container.resources)) {
      if (entry.name.value != exceeded.name || !entry.amount.is_known()) continue;
      const std::int64_t amount = count_of(exceeded.name, entry.amount.value());
      if (amount > 0) parts.push_back({&container, entry.amount.node(), amount});
      sum += amount;
    }
  }
  if (parts.size() < 2 || sum <= exceeded.offered) return;
  for (const Part& part : parts) {
    finding.related(part.where,
                    fmt::format("{} requests {} `{}`", describe(*part.container),
                                amount_text(exceeded.name, part.amount), exceeded.name));
  }
}

/// Whether the pod exceeds the limit of a whole Karpenter pool.
[[nodiscard]] bool is_limit(const Cause& cause) {
  return cause.other && std::ranges::any_of(karpenter_limits(*cause.pool), [&](const auto& limit) {
           return limit.amount.node() == cause.other;
         });
}

/// The types of the Karpenter pool that have the requested amount, although the pod cannot use
/// them; empty if there are none.
[[nodiscard]] std::string list_larger_machines(const Cause& cause, const ExceededAmount& exceeded) {
  auto machines = is_karpenter_pool(*cause.pool) ? known_machines(*cause.pool) : std::nullopt;
  if (!machines) return {};
  std::erase_if(*machines, [&](const Machine* machine) {
    const auto most = machine->most(exceeded.name);
    return !most || left_for_pods(exceeded.name, *most) < exceeded.requested;
  });
  return machines->empty() ? std::string() : describe(*machines, cause.pool->machine_types);
}

/// Says which machines are too small and which are not: names the requirement of a Karpenter pool
/// that excludes larger machines, or else machine types.
void explain_machines(const Cause& cause, const ExceededAmount& exceeded, Finding& finding) {
  if (exceeded.is_assumed) return;
  const std::string pool = describe(*cause.pool);
  if (const auto exclusion = find_exclusion(cause.workloads.front()->pod, *cause.pool)) {
    finding.related(exclusion->requirement, exclusion->text)
        .add_help(fmt::format("or allow larger machines in {}: its requirement {}", pool,
                              exclusion->text));
    return;
  }
  if (!exceeded.remark.empty()) return;
  const std::string larger = list_larger_machines(cause, exceeded);
  const std::string machines =
      larger.empty() ? describe_machines(*cause.pool, exceeded.name, in_all(cause, exceeded))
                     : fmt::format(
                           "or change the pod's other requirements, because they exclude larger "
                           "machine types of {}: {}",
                           pool, larger);
  if (!machines.empty()) finding.add_help(machines);
}

void report_limit(const Cause& cause, const ExceededAmount& exceeded, Reporter& reporter) {
  const std::string offered = amount_text(exceeded.name, exceeded.offered);
  Finding finding = reporter.report_span(
      cause.where, cause.demand, "{} requests {} `{}`, but the limit of {} is {}", describe(cause),
      amount_text(exceeded.name, exceeded.requested), exceeded.name, describe(*cause.pool),
      offered);
  finding.related(cause.other, "the limit for all nodes of the pool")
      .help(
          "raise `limits` of {}, or request at most {} `{}` in one pod; Karpenter creates no node "
          "beyond the limits",
          describe(*cause.pool), offered, exceeded.name);
  relate_workloads(finding, cause);
}

/// The amount of the resource that the RuntimeClass adds to the pod; null if there is none.
[[nodiscard]] const ResourceEntry* find_overhead(const PodSpec& pod, std::string_view resource) {
  const auto found = std::ranges::find_if(pod.overhead, [&](const ResourceEntry& entry) {
    return entry.name.value == resource && entry.amount.is_known() &&
           count_of(entry.name.value, entry.amount.value()) > 0;
  });
  return found == pod.overhead.end() ? nullptr : &*found;
}

/// Adds what no excerpt shows: the amount without the requests of DaemonSets, and that the kubelet
/// reserves a part of it.
void add_supply(Finding& finding, const Cause& cause, const ExceededAmount& exceeded,
                bool has_reserve) {
  const std::string amount = amount_text(exceeded.name, in_all(cause, exceeded));
  if (!cause.other && !exceeded.remark.empty()) {
    finding.add_help(
        supply_text(cause, exceeded) +
        (has_reserve
             ? fmt::format(", and the kubelet and the system reserve a part of the {}", amount)
             : ""));
  } else if (has_reserve) {
    finding.add_help(fmt::format("the kubelet and the system reserve a part of the {} `{}`", amount,
                                 exceeded.name));
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Cause* cause : causes_of<ExceededAmount>(corpus)) {
    const auto& exceeded = std::get<ExceededAmount>(cause->what);
    if (is_limit(*cause)) {
      report_limit(*cause, exceeded, reporter);
      continue;
    }
    Finding finding = report(*cause, exceeded, reporter);
    const bool is_all = in_all(*cause, exceeded) != exceeded.offered;
    const bool is_daemon = cause->workloads.front()->kind.equals("DaemonSet");
    const std::string supply = supply_text(*cause, exceeded);
    const ResourceEntry* const overhead =
        find_overhead(cause->workloads.front()->pod, exceeded.name);
    const std::string added =
        overhead == nullptr
            ? ""
            : amount_text(exceeded.name, count_of(exceeded.name, overhead->amount.value()));
    // The message says it if the request is equal.
    const bool is_equal = amount_text(exceeded.name, exceeded.requested) ==
                          amount_text(exceeded.name, in_all(*cause, exceeded));
    const bool has_reason = is_all && !is_equal;
    finding.related(cause->other, supply)
        .help("request {} {} `{}` in one pod{}{}", is_all ? "less than" : "at most",
              amount_text(exceeded.name, in_all(*cause, exceeded)), exceeded.name,
              overhead == nullptr
                  ? ""
                  : fmt::format(", including the RuntimeClass's overhead of {}", added),
              is_daemon ? "" : ", or spread the work over several pods");
    relate_containers(finding, exceeded, cause->workloads.front()->pod);
    explain_machines(*cause, exceeded, finding);
    add_supply(finding, *cause, exceeded, has_reason);
    if (exceeded.is_assumed) finding.at_most(Severity::warning);
    if (overhead != nullptr) {
      finding.related(
          overhead->amount.node(),
          fmt::format("the RuntimeClass adds {} `{}` to each pod", added, exceeded.name));
    }
    relate_machines(finding, *cause, exceeded.name);
    relate_workloads(finding, *cause);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "placement"}, .check = check};

}  // namespace gpulint::rules::request_exceeds_node
