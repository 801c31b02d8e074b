#include "compiler/engine/rule.h"

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/flyte/analysis.h"
#include "compiler/flyte/flyteadmin.h"

namespace gpulint::rules::task_gpu_limit {
namespace {

/// The first of the places that exists.
[[nodiscard]] Node first_of(Node a, Node b, Node c) { return a ? a : (b ? b : c); }

[[nodiscard]] Node root_of(const flyte::LoadedRelease& loaded) {
  return loaded.documents.empty() ? Node{} : root(*loaded.documents.front());
}

/// `is_set`: whether the configuration sets the platform's limit. `amount`: what the task requests.
[[nodiscard]] std::string help_for(flyte::AdminVerdict::Problem problem, bool is_set,
                                   const std::string& amount) {
  using Problem = flyte::AdminVerdict::Problem;
  switch (problem) {
    case Problem::fraction:
      return "request a whole number of GPUs";
    case Problem::unequal:
      return "write the same amount of `gpu` in `requests` and `limits`";
    case Problem::own_limit:
      return "raise the limit of the task, or request less";
    case Problem::platform:
      break;
  }
  return fmt::format(
      "{} `task_resources.limits.gpu` to {}, or write 0 to remove the limit. Otherwise flyteadmin "
      "{}",
      is_set ? "raise" : "set", amount,
      is_set ? "rejects the task" : "uses the default limit 1 and rejects the task");
}

void check_task(const Corpus& corpus, Reporter& reporter, const flyte::LoadedRelease& loaded,
                const flyte::Task& task) {
  const flyte::ParsedResources asked =
      flyte::parse_resources(task.requests, task.limits, task.target, "task");
  if (!asked.error.empty()) return;
  const flyte::Amount* limit = loaded.platform.by_name.limits.find("nvidia.com/gpu");
  const flyte::AdminVerdict verdict =
      flyte::validate_at_registration(task, asked.resources, loaded.platform);
  if (!verdict.error.empty() && verdict.resource == "gpu") {
    const Node at = first_of(verdict.limit_node, verdict.node, root_of(loaded));
    const flyte::Amount* wanted = asked.resources.requests.find("gpu");
    const bool is_above = verdict.problem == flyte::AdminVerdict::Problem::platform &&
                          wanted != nullptr && limit != nullptr;
    const bool is_fraction =
        verdict.problem == flyte::AdminVerdict::Problem::fraction && verdict.node.is_scalar();
    const std::string why =
        is_fraction
            ? fmt::format(", because `{}` is not a whole number of GPUs", verdict.node.text())
            : fmt::format(": {}", verdict.error);
    Finding finding =
        is_above
            ? reporter.report(at, "task `{}` requests {} GPUs, but flyteadmin allows only {}",
                              task.name, wanted->quantity.to_string(), limit->quantity.to_string())
            : reporter.report(at, "flyteadmin rejects task `{}`{}", task.name, why);
    if (at != verdict.node) finding.related(verdict.node, "the GPU request of the task");
    const std::string amount = wanted == nullptr ? "a larger number" : wanted->quantity.to_string();
    finding.help("{}", help_for(verdict.problem, bool(verdict.limit_node), amount));
    if (!verdict.limit_node || wanted == nullptr) return;
    finding.fix(Safety::unsafe, fmt::format("raise the limit to {}", amount),
                replace_raw(*corpus.sources, verdict.limit_node, amount));
    return;
  }
  const flyte::Amount* wanted = asked.resources.limits.find("gpu");
  if (!verdict.error.empty() || wanted == nullptr || limit == nullptr || wanted->opaque) return;
  if (limit->opaque || limit->quantity.is_zero() || wanted->quantity <= limit->quantity) return;
  reporter
      .report(first_of(limit->node, wanted->node, root_of(loaded)),
              "task `{}` sets a limit of {} GPUs, but flyteadmin reduces the limit to {}",
              task.name, wanted->quantity.to_string(), limit->quantity.to_string())
      .related(wanted->node, "the GPU limit of the task")
      .help(
          "raise `task_resources.limits.gpu` to {}, or lower the task's limit to {}. Otherwise "
          "flyteadmin reduces the limit without an error",
          wanted->quantity.to_string(), limit->quantity.to_string())
      .severity(Severity::warning);
}

/// `defaults.gpu` above `limits.gpu`: every task without GPUs receives the lower amount.
void check_defaults(Reporter& reporter, const flyte::PlatformResources& platform) {
  const flyte::Amount* by_default = platform.by_name.requests.find("nvidia.com/gpu");
  const flyte::Amount* limit = platform.by_name.limits.find("nvidia.com/gpu");
  if (by_default == nullptr || limit == nullptr || by_default->opaque || limit->opaque) return;
  if (!by_default->node || limit->quantity.is_zero()) return;
  if (by_default->quantity <= limit->quantity) return;
  reporter
      .report(by_default->node, "the default of {} GPUs is above the limit of {}",
              by_default->quantity.to_string(), limit->quantity.to_string())
      .related(limit->node, "the limit for all tasks")
      .help(
          "lower `task_resources.defaults.gpu` to {}, or raise `task_resources.limits.gpu` to {}. "
          "Otherwise tasks without a GPU request receive only the limit",
          limit->quantity.to_string(), by_default->quantity.to_string());
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    const flyte::LoadedRelease& loaded = installation.loaded;
    if (loaded.version != FlyteVersion::v1 || !loaded.platform.present) continue;
    check_defaults(reporter, loaded.platform);
    for (const flyte::Task& task : installation.tasks) {
      if (!task.assumed && task.problem.empty()) {
        check_task(corpus, reporter, loaded, task);
      }
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "flyte", .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::task_gpu_limit
