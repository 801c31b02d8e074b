#include "compiler/engine/rule.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/schedule/gates/gates.h"
#include "compiler/schedule/pool_accelerators.h"
#include "rules/support/machines.h"
#include "rules/support/obstacles.h"
#include "rules/support/placement_causes.h"

namespace gpulint::rules::no_node_fits {
namespace {

/// The scheduler's words, each once.
[[nodiscard]] std::string lacks_text(const NoNodeFits& nothing) {
  std::vector<std::string> words;
  for (const Reason& reason : nothing.lacks) {
    std::string text = scheduler_text(reason);
    if (std::ranges::find(words, text) == words.end()) words.push_back(std::move(text));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

constexpr std::string_view of_machines = "no-instance-type:";  // of check_machines()

/// Whether another machine type would help.
[[nodiscard]] bool concerns_machines(const Reason& reason) {
  return reason.kind == ReasonKind::insufficient_resource || reason.detail.starts_with(of_machines);
}

/// The text at the line of a pool that a reason is about.
[[nodiscard]] std::string label_text(const Reason& reason) {
  if (!reason.detail.starts_with(of_machines)) return scheduler_text(reason);
  const std::string_view key = std::string_view(reason.detail).substr(of_machines.size());
  std::string text = "no machine type of this pool meets all label requirements of the pod";
  if (key.empty()) return text;
  const bool is_selector = reason.kind == ReasonKind::node_selector;
  const std::string_view value = is_selector ? reason.workload_node.value().text() : "";
  return fmt::format("{}, including `{}{}{}`", text, key, value.empty() ? "" : "=", value);
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
    const std::string_view nearest =
        is_node ? "the best matching node" : "the best matching node pool";
    const std::string& name = cause->pool->name;
    Finding finding = reporter.report_span(
        cause->where, cause->demand, "{} fits no node: the scheduler rejects {}{} with `{}`",
        describe(*cause), nearest, name.empty() ? "" : fmt::format(" `{}`", name),
        lacks_text(nothing));
    for (const Reason& reason : nothing.lacks) {
      finding.related(reason.pool_node, label_text(reason));
      if (reason.workload_node != cause->demand) {
        finding.related(reason.workload_node, scheduler_text(reason));
      }
    }
    finding.related(name_node(*cause->pool), std::string(nearest));
    const std::string whose =
        cause->workloads.size() == 1 ? describe(*cause) : std::string("the workloads");
    if (nothing.is_each_met) {
      finding.help(
          "change the requirements of {}, or add a node that meets all of them; each requirement "
          "is met by some node, but no node meets all",
          whose);
    }
    const std::string machines = list_machines(*cause->pool);
    if (!nothing.is_each_met && std::ranges::any_of(nothing.lacks, concerns_machines)) {
      if (!machines.empty()) {
        finding.help(
            "change the requirements of {}, or use other machine types in {}, which has only {}",
            whose, describe(*cause->pool), machines);
      }
    } else if (!nothing.is_each_met) {
      finding.help("change the requirements of {}, or the labels and taints of {}", whose,
                   describe(*cause->pool));
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
