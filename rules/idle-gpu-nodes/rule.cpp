#include "compiler/engine/rule.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/counted.h"
#include "compiler/flyte/analysis.h"
#include "compiler/flyte/python_entry.h"
#include "compiler/flyte/python_tasks.h"
#include "compiler/schedule/gpu_relation.h"
#include "rules/support/placement_causes.h"

namespace gpulint::rules::idle_gpu_nodes {
namespace {

/// Whether the inputs have all workloads: declared tasks or listed manifests. There may be more of
/// other manifests, of Python sources, and of Flyte tasks if none is declared. A single `--task` is
/// a question about that task.
[[nodiscard]] bool is_whole(const Corpus& corpus) {
  const Settings& settings = *corpus.settings;
  if (settings.tasks.empty() && settings.task_specs.size() == 1) return false;
  const auto is_of_python = [](Node entry) {
    return flyte::version_of_entry(entry) != FlyteVersion::unknown;
  };
  if (std::ranges::any_of(settings.tasks, is_of_python)) return false;
  const bool declares_tasks = !settings.tasks.empty() || !settings.task_specs.empty();
  if (declares_tasks) return !corpus.compiled.empty();
  return settings.lists_workloads && corpus.compiled.empty();
}

/// The GPU workloads of the scope, by their index in the placement. Empty if the placement of one
/// is unknown, because it may run anywhere.
[[nodiscard]] std::vector<std::size_t> gpu_workloads(const Placement& placement) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < placement.workloads().size(); ++i) {
    const Workload& workload = *placement.workloads()[i];
    if (gpu_relation(workload.pod) == GpuRelation::none) continue;
    if (!is_placement_known(workload)) return {};
    if (!workload.kind.equals("DaemonSet")) indices.push_back(i);
  }
  return indices;
}

/// The first obstacle of the workload, in the scheduler's words.
[[nodiscard]] std::string reason_text(const KnownNodes& nodes, std::size_t workload,
                                      std::size_t node_class) {
  const Assessment assessment = nodes.assess(nodes.placement().pod(workload), node_class);
  for (const Reason& reason : assessment.reasons) {
    if (reason.holds == Ternary::yes) return scheduler_text(reason);
  }
  return {};
}

/// Whether Flyte rejects a task, which could run on the node after a correction.
[[nodiscard]] bool is_any_task_refused(const Corpus& corpus) {
  const auto is_refused = [](const flyte::CompiledPod& pod) { return !pod.error.empty(); };
  return std::ranges::any_of(corpus.flyte->installations, [&](const auto& installation) {
    return std::ranges::any_of(installation.pods, is_refused);
  });
}

void check(const Corpus& corpus, Reporter& reporter) {
  if (!is_whole(corpus) || is_any_task_refused(corpus)) return;
  if (corpus.placement == nullptr || !corpus.placement->nodes) return;
  if (!corpus.placement->causes.empty()) return;  // these findings come first
  const KnownNodes& nodes = *corpus.placement->nodes;
  const std::vector<std::size_t> workloads = gpu_workloads(nodes.placement());
  if (workloads.empty()) return;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes.has_accelerators(i) != Ternary::yes) continue;
    const bool is_reached = std::ranges::any_of(workloads, [&](std::size_t workload) {
      return nodes.fits(nodes.placement().pod(workload), i) != Ternary::no;
    });
    if (is_reached) continue;
    const NodePool& pool = nodes.pool(i);
    std::int64_t all = 0;
    for (const NodePool* member : nodes.members(i)) all += member->equal_nodes;
    const auto more = static_cast<std::size_t>(all - 1);
    const bool is_node = pool.source == NodePool::Source::node;
    const std::string name = describe(pool);
    const std::string equal =
        more == 0 ? ""
                  : fmt::format(". {} {} the same problem",
                                count_text(more, is_node ? "other node" : "other pool"),
                                more == 1 ? "has" : "have");
    const Workload& first = *nodes.placement().workloads()[workloads.front()];
    reporter
        .report(name_node(pool), "{} can run on GPU {}",
                corpus.compiled.empty() ? "no GPU workload" : "no task", name)
        .help(
            "change the properties of {0}, or the requirements of a workload such as {1}. For {1}, "
            "the scheduler rejects {2}{0} with the message `{3}`{4}",
            name, describe(first), is_node ? "" : "nodes of ",
            reason_text(nodes, workloads.front(), i), equal);
  }
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "placement", .severity = Severity::warning, .state = RuleState::preview},
    .check = check};

}  // namespace gpulint::rules::idle_gpu_nodes
