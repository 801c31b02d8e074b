#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/engine/reporter.h"
#include "compiler/schedule/gpu_concern.h"
#include "rules/invalid-gpu-share/kai_annotations.h"
#include "rules/invalid-gpu-share/memory_amounts.h"
#include "rules/invalid-gpu-share/memory_label.h"
#include "rules/support/causes.h"

namespace gpulint::rules::invalid_gpu_share {
namespace {

[[nodiscard]] bool is_for_kai(const Workload& workload) {
  return workload.pod.scheduler_name.equals("kai-scheduler");
}

[[nodiscard]] const LabelEntry* find(const Workload& workload, std::string_view key) {
  const auto found = std::ranges::find_if(
      workload.annotations, [&](const LabelEntry& entry) { return entry.key.value == key; });
  return found == workload.annotations.end() ? nullptr : &*found;
}

void check_value(Reporter& reporter, const LabelEntry& entry) {
  if (!entry.value.is_known()) return;
  const std::string& value = entry.value.value();
  const bool is_share = entry.key.value == fraction_key;
  if (is_share ? is_fraction(value) : is_positive_integer(value)) return;
  reporter
      .report(entry.value.node(), "`{}: {}` is no {}", entry.key.value, value,
              is_share ? "part of a GPU" : "whole number")
      .help("KAI-Scheduler refuses the pod: {}",
            is_share                        ? "`gpu-fraction` is between 0 and 1"
            : entry.key.value == memory_key ? "`gpu-memory` is a number of MiB, without a unit"
                                            : "it is a number of GPUs");
}

/// A key that the scheduler does not read, on a pod that else asks for no GPU.
void check_unread(const Corpus& corpus, Reporter& reporter, const Workload& workload,
                  const LabelEntry& entry) {
  const std::string_view meant = meant_key(entry.key.value);
  if (meant.empty() || meant == entry.key.value || find(workload, meant) != nullptr) return;
  reporter
      .report(entry.key.node, "KAI-Scheduler does not read the annotation `{}` of {}",
              entry.key.value, describe(workload))
      .help("it reads `{}`: without it the pod asks for no GPU, and nothing limits it", meant)
      .fix(Safety::unsafe, fmt::format("write `{}`", meant),
           replace_string(*corpus.sources, entry.key.node, std::string(meant)));
}

void check_whole(Reporter& reporter, const Workload& workload, const LabelEntry& share) {
  for (const Container& container : workload.pod.containers) {
    for (const ResourceEntry& limit : container.resources.limits) {
      if (limit.name.value != "nvidia.com/gpu") continue;
      reporter
          .report(limit.name.node, "a limit of `nvidia.com/gpu` beside the annotation `{}`",
                  share.key.value)
          .related(share.key.node, "a part of a GPU")
          .help("KAI-Scheduler refuses a pod that asks for both: leave the limit out");
    }
  }
}

void check_workload(const Corpus& corpus, Reporter& reporter, const Workload& workload) {
  const LabelEntry* const fraction = find(workload, fraction_key);
  const LabelEntry* const memory = find(workload, memory_key);
  for (const LabelEntry& entry : workload.annotations) {
    const bool is_known = entry.key.value == fraction_key || entry.key.value == memory_key ||
                          entry.key.value == devices_key;
    if (is_known) check_value(reporter, entry);
    if (!is_known && !requests_gpu(workload.pod)) check_unread(corpus, reporter, workload, entry);
  }
  if (const LabelEntry* const share = fraction != nullptr ? fraction : memory) {
    check_whole(reporter, workload, *share);
  }
  if (memory != nullptr) {
    check_memory_label(corpus, reporter, *memory);
    check_memory_amount(corpus, reporter, workload, *memory);
  }
  if (fraction == nullptr || memory == nullptr) return;
  reporter.report(memory->key.node, "`gpu-memory` beside `gpu-fraction`")
      .related(fraction->key.node, "the other annotation")
      .help("KAI-Scheduler refuses a pod that asks for both");
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Workload& workload : corpus.workloads) {
    if (is_for_kai(workload)) check_workload(corpus, reporter, workload);
    check_memory(corpus, reporter, workload);
  }
}

}  // namespace

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "invalid-gpu-share",
             .category = "resources",
             .summary = "A pod asks for part of a GPU in a way that KAI-Scheduler, HAMi or Volcano "
                        "refuses or does not read.",
             .severity = Severity::error,
             .fix = FixAvailability::unsafe},
    .check = check};

}  // namespace gpulint::rules::invalid_gpu_share
