#include "compiler/engine/rule.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/model/quantity.h"
#include "compiler/schedule/gpu_concern.h"
#include "rules/invalid-gpu-share/memory_amounts.h"
#include "rules/support/causes.h"

namespace gpulint::rules::invalid_gpu_share {
namespace {

// Annotations by which pods ask KAI-Scheduler for part of a GPU: kai-scheduler/KAI-Scheduler
// d5bc503a1463, pkg/common/constants/constants.go, and the checks of its webhook,
// pkg/binder/plugins/gpusharing/gpu-request/gpu_request_validator.go.

constexpr std::string_view fraction_key = "gpu-fraction";

constexpr std::string_view memory_key = "gpu-memory";

constexpr std::string_view devices_key = "gpu-fraction-num-devices";

constexpr std::array<std::string_view, 4> known_keys{fraction_key, memory_key, devices_key,
                                                     "gpu-fraction-container-name"};

/// The last part of a key, `.` and `_` read as `-`: `nvidia.com/gpu.memory` → `gpu-memory`.
[[nodiscard]] std::string plain(std::string_view key) {
  std::string name = to_lower(key.substr(key.find('/') == key.npos ? 0 : key.find('/') + 1));
  std::ranges::replace_if(name, [](char c) { return c == '.' || c == '_'; }, '-');
  return name;
}

/// The annotation that a key was meant for (`nvidia.com/gpu.memory`, `gpu-fractions`); empty where
/// none is.
[[nodiscard]] std::string_view meant_key(std::string_view key) {
  const std::string name = plain(key);
  for (const std::string_view known : known_keys) {
    if (name == known) return known;
  }
  if (name == "gpu-mem" || name == "gpumem") return memory_key;
  const bool is_part = edit_distance(name, fraction_key, 2) <= 2;
  return is_part ? fraction_key : std::string_view{};
}

/// More than nothing and less than one.
[[nodiscard]] bool is_fraction(std::string_view text) {
  const auto quantity = Quantity::parse(text);
  return quantity && !quantity->is_negative() && !quantity->is_zero() &&
         *quantity < Quantity::of(1);
}

[[nodiscard]] bool is_positive_integer(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() && number > 0;
}

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

extern constinit const Rule rule{.info = {.category = "resources", .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::invalid_gpu_share
