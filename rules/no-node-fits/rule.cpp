#include "compiler/engine/rule.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/model/kinds/namespace_limits.h"
#include "compiler/schedule/gates/gates.h"
#include "compiler/schedule/pool_accelerators.h"
#include "rules/support/machines.h"
#include "rules/support/obstacles.h"
#include "rules/support/placement_causes.h"

namespace gpulint::rules::no_node_fits {
namespace {

/// Why the nearest node does not fit, as the end of a sentence about the node.
[[nodiscard]] std::string lack_text(const Reason& reason) {
  switch (reason.kind) {
    case ReasonKind::insufficient_resource:
      if (reason.detail == "pods") return "cannot run another pod";
      return reason.offered == 0 && reason.remark.empty()
                 ? fmt::format("has no `{}`", reason.detail)
                 : fmt::format("does not have enough `{}`", reason.detail);
    case ReasonKind::node_affinity:
    case ReasonKind::node_affinity_error:
      return "does not match the pod's node affinity";
    case ReasonKind::node_selector:
      return "does not match the pod's node selector";
    case ReasonKind::unschedulable:
      return "is cordoned";
    case ReasonKind::untolerated_taint:
      return fmt::format("has the taint `{}`, which the pod does not tolerate", reason.detail);
    case ReasonKind::unallocated_claims:
      return "does not have the devices for the pod's resource claims";
  }
  return {};
}

/// All of them, each once.
[[nodiscard]] std::string lacks_text(const NoNodeFits& nothing) {
  std::vector<std::string> parts;
  for (const Reason& reason : nothing.lacks) {
    std::string text = lack_text(reason);
    if (std::ranges::find(parts, text) == parts.end()) parts.push_back(std::move(text));
  }
  return fmt::format("{}", fmt::join(parts, " and "));
}

constexpr std::string_view of_machines = "no-instance-type:";  // of check_machines()

/// Whether another machine type would help.
[[nodiscard]] bool concerns_machines(const Reason& reason) {
  return reason.kind == ReasonKind::insufficient_resource || reason.detail.starts_with(of_machines);
}

/// The text at the line of a pod that a reason is about.
[[nodiscard]] std::string workload_text(const Reason& reason, const NodePool& pool) {
  switch (reason.kind) {
    case ReasonKind::insufficient_resource:
      return limit_range_of(reason.workload_node)
                 ? fmt::format("this default adds `{}` to the pod", reason.detail)
                 : fmt::format("the pod requests `{}` here", reason.detail);
    case ReasonKind::node_affinity:
    case ReasonKind::node_affinity_error:
    case ReasonKind::node_selector:
      return fmt::format("{} does not match this requirement", describe(pool));
    case ReasonKind::unschedulable:
      return "none of these tolerations matches a cordoned node";
    case ReasonKind::untolerated_taint:
      return fmt::format("none of these tolerations matches the taint `{}`", reason.detail);
    case ReasonKind::unallocated_claims:
      return fmt::format("{} does not have the devices for this claim", describe(pool));
  }
  return {};
}

/// The text at the line of a pool that a reason is about.
[[nodiscard]] std::string label_text(const Reason& reason, const NodePool& pool) {
  if (!reason.detail.starts_with(of_machines)) {
    if (reason.kind == ReasonKind::untolerated_taint) return "the pod does not tolerate this taint";
    if (reason.kind != ReasonKind::insufficient_resource || reason.detail == "pods") {
      return fmt::format("{} {}", describe(pool), lack_text(reason));
    }
    return fmt::format("the pod requests more `{}` than {} offers", reason.detail, describe(pool));
  }
  const std::string_view key = std::string_view(reason.detail).substr(of_machines.size());
  if (key.empty()) return "no machine type of this pool meets all label requirements of the pod";
  const bool is_selector = reason.kind == ReasonKind::node_selector;
  const std::string_view value = is_selector ? reason.workload_node.value().text() : "";
  return fmt::format(
      "no machine type of this pool meets `{}{}{}` and all other label requirements of the pod",
      key, value.empty() ? "" : "=", value);
}

/// Whether DaemonSets use up the pods of the nearest pool, which invalid-node-pool reports.
[[nodiscard]] bool is_of_pool(const Cause& cause, const NoNodeFits& nothing) {
  return cause.pool->max_pods.is_known() && has_accelerators(*cause.pool) == Ternary::yes &&
         std::ranges::all_of(nothing.lacks,
                             [](const Reason& reason) { return reason.detail == "pods"; });
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Cause* cause : causes_of<NoNodeFits>(corpus)) {
    const auto& nothing = std::get<NoNodeFits>(cause->what);
    if (is_of_pool(*cause, nothing)) continue;
    const bool is_node = cause->pool->source == NodePool::Source::node;
    const std::string_view noun = is_node ? "node" : "pool";
    const std::string& name = cause->pool->name;
    Finding finding = reporter.report_span(
        cause->where, cause->demand, "{} does not fit any node: the most suitable {}{} {}",
        describe(*cause), noun, name.empty() ? "" : fmt::format(" `{}`", name),
        lacks_text(nothing));
    for (const Reason& reason : nothing.lacks) {
      finding.related(reason.pool_node, label_text(reason, *cause->pool));
      if (reason.workload_node != cause->demand) {
        finding.related(reason.workload_node, workload_text(reason, *cause->pool));
      }
    }
    finding.related(name_node(*cause->pool),
                    fmt::format("this {} is the most suitable for the pod", noun));
    const bool is_one = cause->workloads.size() == 1;
    const std::string owner = is_one ? describe(*cause) : std::string("the workloads");
    const std::string_view otherwise =
        is_one ? "Otherwise the pod stays Pending" : "Otherwise the pods stay Pending";
    if (nothing.is_each_met) {
      finding.help("change the requirements of {}, or add one node that meets all requirements. {}",
                   owner, otherwise);
    }
    const std::string machines = list_machines(*cause->pool);
    if (!nothing.is_each_met && std::ranges::any_of(nothing.lacks, concerns_machines)) {
      if (!machines.empty()) {
        finding.help("change the requirements of {}, or use machine types other than {} in {}. {}",
                     owner, machines, describe(*cause->pool), otherwise);
      }
    } else if (!nothing.is_each_met) {
      finding.help("change the requirements of {}, or the labels and taints of {}. {}", owner,
                   describe(*cause->pool), otherwise);
    }
    for (const Reason& reason : nothing.lacks) relate_limit_range(finding, reason.workload_node);
    relate_workloads(finding, *cause);
    const bool is_assumed = std::ranges::any_of(nothing.lacks, &Reason::is_assumed);
    if (nothing.runs_with_gpus || is_assumed) finding.at_most(Severity::warning);
  }
  const FindObstacles gate = make_topology_gate(corpus, corpus.placement);
  for (const Workload& workload : corpus.workloads) report(reporter, gate, workload);
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "placement"}, .check = check};

}  // namespace gpulint::rules::no_node_fits
