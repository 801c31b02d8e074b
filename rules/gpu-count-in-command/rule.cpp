#include "compiler/engine/rule.h"

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "rules/gpu-count-in-command/process_flags.h"
#include "rules/gpu-count-in-command/serving_counts.h"
#include "rules/support/causes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::gpu_count_in_command {
namespace {

void check_container(const Corpus& corpus, Reporter& reporter, const ClaimIndex& claims,
                     const Workload& workload, const Container& container) {
  const auto devices = given_devices(container, workload.pod, claims);
  if (!devices) return;
  for (const FlagCount& given : find_flag_counts(container.node)) {
    const LaunchFlag* const known = find_count_flag(given, workload, container);
    if (known == nullptr) continue;
    const std::int64_t processes = processes_of(*known, given, container);
    if (processes > devices->most) {
      const std::string all =
          processes == given.count ? "" : fmt::format(" ({} processes in all)", processes);
      Finding finding = reporter.report_span(place_of(*corpus.sources, given), given.node,
                                             "`{} {}`{} in {} of {}, which has {} {}", given.flag,
                                             given.count, all, describe(container),
                                             describe(workload), devices->amount, devices->what);
      finding.related(devices->node, "the limit")
          .help("one process for each of {} GPUs: the others find none; ask for {} or start {}",
                processes, (processes * devices->amount + devices->most - 1) / devices->most,
                devices->most);
      if (is_serving_runtime(workload)) finding.severity(Severity::warning);  // services say more
    } else if (given.count < devices->amount && leaves_devices_idle(*known, container)) {
      reporter
          .report_span(place_of(*corpus.sources, given), given.node,
                       "`{} {}` in {} of {} leaves {} of {} {} idle", given.flag, given.count,
                       describe(container), describe(workload), devices->amount - given.count,
                       devices->amount, devices->what)
          .related(devices->node, "what it holds")
          .severity(Severity::info)
          .help("start a process for each GPU, unless one process uses several");
    }
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  const ClaimIndex claims(corpus);
  const RuntimeUses runtimes(corpus.workloads);
  for (const Workload& workload : corpus.workloads) {
    check_declared(reporter, workload);
    if (runtimes.is_used(workload)) continue;  // judged with those that use it
    for (const Container& container : workload.pod.containers) {
      if (runtimes.is_of_runtime(workload, container)) continue;
      check_container(corpus, reporter, claims, workload, container);
    }
  }
  runtimes.check(corpus, reporter);
  check_nim(corpus, reporter);
  for (const Workload& part : corpus.fragments) check_declared(reporter, part);
  check_worker_sets(corpus, reporter);
  check_node_counts(corpus, reporter);
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "resources"}, .check = check};

}  // namespace gpulint::rules::gpu_count_in_command
