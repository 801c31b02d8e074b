#include "compiler/engine/rule.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/model/pools/aks_pools.h"
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

/// The amount in the unit of the other one: 13312Mi instead of 13Gi next to 12957Mi.
[[nodiscard]] std::string amount_next_to(std::string_view resource, std::int64_t amount,
                                         std::int64_t other) {
  std::string text = amount_text(resource, amount);
  const bool is_other_finer = text.ends_with("Gi") && amount_text(resource, other).ends_with("Mi");
  return is_other_finer ? fmt::format("{}Mi", amount / (std::int64_t{1} << 20U)) : text;
}

[[nodiscard]] std::string requested_text(const Cause& cause, const ExceededAmount& exceeded) {
  return amount_next_to(exceeded.name, exceeded.requested, in_all(cause, exceeded));
}

/// ``10 `cpu` ``, ``6 `cpu` in 2 containers plus 4 for its RuntimeClass``. `overhead`: the part of
/// the amount that the RuntimeClass adds.
[[nodiscard]] std::string amounts_text(const Cause& cause, const ExceededAmount& exceeded,
                                       std::size_t containers, std::int64_t overhead) {
  const std::int64_t total = in_all(cause, exceeded);
  std::string text =
      fmt::format("{} `{}`", amount_next_to(exceeded.name, exceeded.requested - overhead, total),
                  exceeded.name);
  if (containers > 1) text += fmt::format(" in {} containers", containers);
  if (overhead > 0) {
    text += fmt::format(" plus {} for its RuntimeClass",
                        amount_next_to(exceeded.name, overhead, total));
  }
  return text;
}

[[nodiscard]] std::string offered_text(const Cause& cause, const ExceededAmount& exceeded) {
  return amount_next_to(exceeded.name, in_all(cause, exceeded), exceeded.requested);
}

/// ``node `gpu-1` has only 2 `nvidia.com/gpu` ``; what the remark says is subtracted.
[[nodiscard]] std::string supply_text(const Cause& cause, const ExceededAmount& exceeded) {
  const bool is_node = cause.pool->source == NodePool::Source::node;
  return fmt::format("{}{} has {} {} `{}`{}{}", is_node ? "" : "a matching node of ",
                     describe(*cause.pool), is_node ? "only" : "at most",
                     offered_text(cause, exceeded), exceeded.name,
                     exceeded.remark.empty() ? "" : " left ", exceeded.remark);
}

/// The machine types of the pool and their amount if they are known, else the same of a node.
[[nodiscard]] std::string machines_text(const Cause& cause, const ExceededAmount& exceeded) {
  const std::int64_t amount = in_all(cause, exceeded);
  const bool is_plain = exceeded.remark.empty() && amount > 0;
  const std::string machines =
      is_plain ? describe_machines(*cause.pool, exceeded.name, amount) : std::string();
  return machines.empty() ? supply_text(cause, exceeded)
                          : fmt::format("{} `{}`", machines, exceeded.name);
}

/// `demand`: amounts_text().
[[nodiscard]] Finding report(const Cause& cause, const ExceededAmount& exceeded,
                             std::string_view demand, Reporter& reporter) {
  const std::string offered = offered_text(cause, exceeded);
  const std::string workloads = describe(cause);
  if (requested_text(cause, exceeded) == offered) {
    return reporter.report_span(
        cause.where, cause.demand,
        "{} requests {}, but the largest matching node has less than {} for pods", workloads,
        demand, offered);
  }
  return reporter.report_span(cause.where, cause.demand,
                              "{} requests {}, but the largest matching node has {}{}", workloads,
                              demand, offered, exceeded.remark.empty() ? "" : " left");
}

/// A container and its request.
struct Part {
  const Container* container;
  Node where;
  std::int64_t amount;
};

/// The containers that run at the same time and together request too much; empty if one alone
/// does.
[[nodiscard]] std::vector<Part> find_parts(const ExceededAmount& exceeded, const PodSpec& pod) {
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
  if (parts.size() < 2 || sum <= exceeded.offered) parts.clear();
  return parts;
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

/// The fields of the pod that may exclude machines with enough of the resource.
[[nodiscard]] std::string_view excluding_fields(const PodSpec& pod) {
  const bool selects = !pod.node_selector.empty();
  if (pod.node_affinity.required.empty()) {
    return selects ? "node selector or other requests" : "other requests";
  }
  return selects ? "node selector, node affinity or other requests"
                 : "node affinity or other requests";
}

/// What to do, as sentences: the most likely cause first. `overhead`: what the RuntimeClass adds.
[[nodiscard]] std::string advice(const Cause& cause, const ExceededAmount& exceeded,
                                 const std::optional<Exclusion>& excluding, std::int64_t overhead) {
  const PodSpec& pod = cause.workloads.front()->pod;
  const std::string pool = describe(*cause.pool);
  // The kubelet and the system reserve a part.
  const bool is_all = in_all(cause, exceeded) != exceeded.offered;
  std::vector<std::string> options;
  if (excluding) {
    options.push_back(
        fmt::format("change `{}` of {} to allow larger machines", excluding->key, pool));
  }
  const std::int64_t left = in_all(cause, exceeded) - overhead;
  if (overhead > 0 && left <= 0) {
    options.emplace_back("lower the overhead of the RuntimeClass");
  } else {
    options.push_back(
        fmt::format("request {} {} `{}` in one pod{}", is_all ? "less than" : "at most",
                    amount_next_to(exceeded.name, left, exceeded.requested), exceeded.name,
                    is_all ? ", and leave some for the kubelet and the system" : ""));
  }
  if (!cause.workloads.front()->kind.equals("DaemonSet")) {
    options.emplace_back("spread the work over several pods");
  }
  const bool may_be_pod = !excluding && !exceeded.is_assumed && exceeded.remark.empty();
  const std::string larger = may_be_pod ? list_larger_machines(cause, exceeded) : std::string();
  if (!larger.empty()) {
    options.push_back(
        fmt::format("change the pod's {} to allow {} of {}", excluding_fields(pod), larger, pool));
  }
  std::string text = options.front();
  for (std::size_t i = 1; i < options.size(); ++i) {
    text += i == 1 && !is_all ? ", or " : ". Or ";  // is_all: the first has a comma
    text += options[i];
  }
  return text;
}

/// The line of a declared pool that sets its machines; null if the cause has another place.
[[nodiscard]] Node find_machines_place(const Cause& cause, std::string_view resource) {
  if (cause.other || cause.pool->source == NodePool::Source::node) return {};
  const Node place = offer_node(*cause.pool, resource);
  return place == cause.pool->node ? Node{} : place;
}

void report_limit(const Cause& cause, const ExceededAmount& exceeded, Reporter& reporter) {
  const std::string offered = amount_text(exceeded.name, exceeded.offered);
  Finding finding = reporter.report_span(
      cause.where, cause.demand, "{} requests {} `{}`, but the limit of {} is {}", describe(cause),
      amount_text(exceeded.name, exceeded.requested), exceeded.name, describe(*cause.pool),
      offered);
  finding
      .related(cause.other,
               fmt::format("all nodes of {} together have this limit", describe(*cause.pool)))
      .help(
          "raise `limits` of {} to at least {}, or request at most {} `{}` in one pod. Otherwise "
          "Karpenter creates no node for the pod",
          describe(*cause.pool), amount_text(exceeded.name, exceeded.requested), offered,
          exceeded.name);
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

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Cause* cause : causes_of<ExceededAmount>(corpus)) {
    const auto& exceeded = std::get<ExceededAmount>(cause->what);
    if (is_limit(*cause)) {
      report_limit(*cause, exceeded, reporter);
      continue;
    }
    const PodSpec& pod = cause->workloads.front()->pod;
    const ResourceEntry* const overhead = find_overhead(pod, exceeded.name);
    const std::int64_t added =
        overhead == nullptr ? 0 : count_of(exceeded.name, overhead->amount.value());
    const std::vector<Part> parts = find_parts(exceeded, pod);
    const std::optional<Exclusion> excluding =
        exceeded.is_assumed ? std::nullopt : find_exclusion(pod, *cause->pool);
    const Node machines = find_machines_place(*cause, exceeded.name);
    const std::string supply = machines_text(*cause, exceeded);
    Finding finding =
        report(*cause, exceeded, amounts_text(*cause, exceeded, parts.size(), added), reporter);
    finding.related(cause->other, supply).help("{}", advice(*cause, exceeded, excluding, added));
    for (const Part& part : parts) {
      finding.related(part.where,
                      fmt::format("{} requests {} `{}`", describe(*part.container),
                                  amount_text(exceeded.name, part.amount), exceeded.name));
    }
    if (excluding) {
      finding.related(excluding->requirement, fmt::format("`{}` excludes larger machines: {}",
                                                          excluding->key, excluding->machines));
    }
    // No excerpt shows the amount.
    if (!cause->other && !machines) finding.add_help(supply);
    if (exceeded.is_assumed) finding.at_most(Severity::warning);
    if (overhead != nullptr) {
      finding.related(overhead->amount.node(),
                      fmt::format("the RuntimeClass adds {} `{}` to each pod",
                                  amount_text(exceeded.name, added), exceeded.name));
    }
    finding.related(machines, machines && machines == aks_gpu_profile(*cause->pool)
                                  ? fmt::format("AKS partitions the GPUs of {} with this profile",
                                                describe(*cause->pool))
                                  : supply);
    relate_workloads(finding, *cause);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "placement"}, .check = check};

}  // namespace gpulint::rules::request_exceeds_node
